package dev.lookout.testing;

import com.google.gson.Gson;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import dev.lookout.LookoutException.Detail;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What the contract says about calls and messages beside the types of their members. */
final class Contract {
  /** A call: its name on the wire, the type of its answers, and whether there may be several. */
  record Call(String method, String answer, boolean streams) {}

  private record Text(
      Map<String, Call> calls,
      Map<String, Map<String, String>> rows,
      Map<String, List<String>> values,
      Set<String> required,
      Set<String> always) {}

  private static final Text TEXT = read();

  private Contract() {}

  /** By the names of their columns, the kinds: {@code integer?} may be null, {@code integer*} is there with a goal only. */
  static Map<String, Map<String, String>> rows() {
    return TEXT.rows;
  }

  /** @throws IllegalArgumentException if there is none */
  static Call call(String name) {
    Call call = TEXT.calls.get(name);
    if (call == null)
      throw new IllegalArgumentException("There is no call " + name + NearestName.hint(name, new TreeSet<>(TEXT.calls.keySet())));
    return call;
  }

  /** The name of a call by that on the wire. */
  static String nameOf(String method) {
    for (var each : TEXT.calls.entrySet()) if (each.getValue().method.equals(method)) return each.getKey();
    return method;
  }

  /** What the service would refuse a request for: fields that it needs, and values that are not in their list. */
  static List<Detail> problemsOfRequest(Message request) {
    var problems = new ArrayList<Detail>();
    addMissing(request, TEXT.required, problems);
    addValues(request, "", problems);
    return problems;
  }

  /** What the service never answers. */
  static List<Detail> problemsOfAnswer(Message answer) {
    var problems = new ArrayList<Detail>();
    addMissing(answer, TEXT.always, problems);
    addValues(answer, "", problems);
    return problems;
  }

  private static void addMissing(Message message, Set<String> needed, List<Detail> problems) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (!needed.contains(nameOf(field)) || isSet(message, field)) continue;
      problems.add(new Detail(field.getJsonName(), "is required", null));
    }
  }

  /** A number or a truth value that has no presence may be 0 or false. */
  private static boolean isSet(Message message, FieldDescriptor field) {
    if (field.isRepeated()) return message.getRepeatedFieldCount(field) > 0;
    if (field.hasPresence()) return message.hasField(field);
    return field.getJavaType() != JavaType.STRING || !((String) message.getField(field)).isEmpty();
  }

  private static void addValues(Message message, String path, List<Detail> problems) {
    for (var each : message.getAllFields().entrySet()) {
      FieldDescriptor field = each.getKey();
      if (field.isMapField()) continue;
      String place = path + field.getJsonName();
      List<?> values = field.isRepeated() ? (List<?>) each.getValue() : List.of(each.getValue());
      for (int index = 0; index < values.size(); index++) {
        String item = field.isRepeated() ? place + "[" + index + "]" : place;
        if (values.get(index) instanceof Message inner) addValues(inner, item + ".", problems);
        else if (values.get(index) instanceof String text) addValue(field, text, item, problems);
      }
    }
  }

  private static void addValue(FieldDescriptor field, String value, String place, List<Detail> problems) {
    List<String> allowed = TEXT.values.get(nameOf(field));
    if (allowed == null || value.isEmpty() || allowed.contains(value)) return;
    String message = "must be one of " + String.join(", ", allowed) + ", not " + value;
    // The service names the preset of a query by itself.
    String name = place.equals("query.preset") ? "preset" : place;
    problems.add(new Detail(name, message, NearestName.of(value, allowed)));
  }

  private static String nameOf(FieldDescriptor field) {
    return field.getContainingType().getName() + "." + field.getName();
  }

  private static Text read() {
    try (var stream = Contract.class.getResourceAsStream("contract.json")) {
      return new Gson().fromJson(new InputStreamReader(stream, StandardCharsets.UTF_8), Text.class);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
