package dev.lookout;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Numbers that JSON has. One event with another would have all refused that are sent with it, long after it was given. */
final class JsonNumbers {
  private JsonNumbers() {}

  /** @throws IllegalArgumentException if JSON does not have it, or would round a whole number */
  static double checked(Number number, String path) {
    // A float is the shortest number that it is read from: 0.1f is 0.1.
    double as = number instanceof Float ? Double.parseDouble(number.toString()) : number.doubleValue();
    if (Double.isNaN(as) || Double.isInfinite(as)) throw refused(path, number);
    boolean isWhole = number instanceof Long || number instanceof BigInteger || number instanceof AtomicLong;
    if (isWhole && new BigDecimal(as).compareTo(new BigDecimal(number.toString())) != 0)
      throw new IllegalArgumentException(
          "%s is %s, which JSON's numbers of 64 bits would round to %.0f. Pass it as text".formatted(nameOf(path), number, as));
    return as;
  }

  /**
   * Looks through a message.
   *
   * @param path what names the message, such as {@code events[2].}
   * @throws IllegalArgumentException if it has a number that JSON does not have
   */
  static void check(Message message, String path) {
    if (message instanceof Struct object) {
      object.getFieldsMap().forEach((name, value) -> check(value, path + name));
    } else {
      for (Map.Entry<FieldDescriptor, Object> each : message.getAllFields().entrySet()) {
        FieldDescriptor field = each.getKey();
        if (!mayHaveNumber(field)) continue;
        String place = path + field.getJsonName();
        if (!field.isRepeated()) checkOne(each.getValue(), place);
        else {
          int index = 0;
          for (Object item : (List<?>) each.getValue()) checkOne(item, place + "[" + index++ + "]");
        }
      }
    }
  }

  private static boolean mayHaveNumber(FieldDescriptor field) {
    JavaType type = field.getJavaType();
    return type == JavaType.DOUBLE || type == JavaType.FLOAT || (type == JavaType.MESSAGE && !field.isMapField());
  }

  private static void checkOne(Object value, String path) {
    if (value instanceof Value json) check(json, path);
    else if (value instanceof Message message) check(message, path + ".");
    else if (value instanceof Number number && !Double.isFinite(number.doubleValue())) throw refused(path, number);
  }

  private static void check(Value value, String path) {
    switch (value.getKindCase()) {
      case NUMBER_VALUE -> checkOne(value.getNumberValue(), path);
      case STRUCT_VALUE -> check(value.getStructValue(), path + ".");
      case LIST_VALUE -> {
        ListValue list = value.getListValue();
        for (int index = 0; index < list.getValuesCount(); index++) check(list.getValues(index), path + "[" + index + "]");
      }
      default -> {}
    }
  }

  private static IllegalArgumentException refused(String path, Number number) {
    return new IllegalArgumentException(nameOf(path) + " is " + number + ", which JSON does not have");
  }

  private static String nameOf(String path) {
    return path.isEmpty() ? "The value" : path;
  }
}
