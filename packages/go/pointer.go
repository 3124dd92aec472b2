package lookout

// Ptr is a pointer to a value, for members of messages that may be missing: Limit: lookout.Ptr[uint32](20).
func Ptr[Value any](value Value) *Value { return &value }
