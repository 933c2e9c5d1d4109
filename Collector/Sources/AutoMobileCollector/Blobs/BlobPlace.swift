import Foundation

/// Where blobs are kept.
public enum BlobPlace: Sendable, Equatable {
  /// In the data directory.
  case folder
  /// In a bucket of an S3 store.
  case s3(S3Settings)

  /// Reads `s3://bucket/prefix?endpoint=https://…&region=…&style=path`, or `folder`.
  ///
  /// - Throws: ``Invalid``, with what is wrong.
  public init(_ text: String) throws {
    if text == "folder" {
      self = .folder
    } else {
      self = .s3(try S3Settings(text))
    }
  }

  /// Why a place cannot be read.
  public struct Invalid: Error, Equatable, CustomStringConvertible {
    public var description: String
    init(_ description: String) { self.description = description }
  }

  /// As the index remembers it.
  var mark: String {
    switch self {
    case .folder: "folder"
    case .s3(let settings): settings.mark
    }
  }
}

extension BlobPlace {
  /// - Parameter credentials: nil: those that the environment names.
  /// - Throws: ``BlobPlace/Invalid`` when there are none, or certificates cannot be used.
  func open(_ directory: URL, _ credentials: S3Credentials?) throws -> any BlobStore {
    switch self {
    case .folder: FolderBlobs(directory)
    case .s3(let settings): try S3Blobs(settings, keys: credentials.map(S3Keys.init) ?? .find())
    }
  }
}
