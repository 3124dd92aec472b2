package dev.lookout;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.lookout.v1.QueryFilter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * JSON of plain values: null, booleans, numbers, text, maps, lists and arrays. Anything else, such as a time or a UUID, becomes the text of its
 * {@code toString}.
 */
public final class Json {
  private Json() {}

  /** An object, such as the properties of an event. */
  public static Struct object(Map<String, ?> values) {
    Struct.Builder object = Struct.newBuilder();
    values.forEach((name, value) -> object.putFields(name, value(value)));
    return object.build();
  }

  /** Any value. */
  public static Value value(Object value) {
    if (value instanceof Value made) return made;
    Value.Builder built = Value.newBuilder();
    if (value == null) built.setNullValue(NullValue.NULL_VALUE);
    else if (value instanceof Boolean is) built.setBoolValue(is);
    else if (value instanceof Number number) built.setNumberValue(number.doubleValue());
    else if (value instanceof Struct made) built.setStructValue(made);
    else if (value instanceof Map<?, ?> map) {
      Struct.Builder object = Struct.newBuilder();
      map.forEach((name, each) -> object.putFields(String.valueOf(name), value(each)));
      built.setStructValue(object);
    } else if (value instanceof Iterable<?> list) {
      ListValue.Builder values = ListValue.newBuilder();
      list.forEach(each -> values.addValues(value(each)));
      built.setListValue(values);
    } else if (value instanceof Object[] array) return value(Arrays.asList(array));
    else built.setStringValue(value.toString());
    return built.build();
  }

  /** A filter of a query. Operators are those of {@link dev.lookout.values.FilterOperator}. */
  public static QueryFilter filter(String field, String op, Object... values) {
    QueryFilter.Builder filter = QueryFilter.newBuilder().setField(field).setOp(op);
    boolean takesList = op.equals("in") || op.equals("not_in") || values.length > 1;
    // A list is the list itself.
    if (values.length == 1 && (!takesList || values[0] instanceof Iterable<?>)) return filter.setValue(value(values[0])).build();
    return takesList ? filter.setValue(value(List.of(values))).build() : filter.build();
  }
}
