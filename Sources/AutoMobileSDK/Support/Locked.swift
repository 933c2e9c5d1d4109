import AutoMobileJournal

package typealias Locked<Value> = AutoMobileJournal.Locked<Value>
