import GRDB

extension ReplayPart: FetchableRecord {}
