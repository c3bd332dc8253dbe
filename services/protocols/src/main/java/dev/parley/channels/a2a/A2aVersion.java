package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.A2aException.Code;
import dev.parley.channels.protocols.ProtocolJson;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A version of the protocol. The versions have the same content in different formats, and reject each other's. */
enum A2aVersion {
    /** The default version. */
    V0_3(Map.ofEntries(
            Map.entry("message/send", Method.SEND),
            Map.entry("message/stream", Method.STREAM),
            Map.entry("tasks/get", Method.GET),
            Map.entry("tasks/cancel", Method.CANCEL),
            Map.entry("tasks/resubscribe", Method.SUBSCRIBE),
            Map.entry("tasks/pushNotificationConfig/set", Method.PUSH),
            Map.entry("tasks/pushNotificationConfig/get", Method.PUSH),
            Map.entry("tasks/pushNotificationConfig/list", Method.PUSH),
            Map.entry("tasks/pushNotificationConfig/delete", Method.PUSH),
            Map.entry("agent/getAuthenticatedExtendedCard", Method.EXTENDED_CARD))),

    V1_0(Map.ofEntries(
            Map.entry("SendMessage", Method.SEND),
            Map.entry("SendStreamingMessage", Method.STREAM),
            Map.entry("GetTask", Method.GET),
            Map.entry("ListTasks", Method.LIST),
            Map.entry("CancelTask", Method.CANCEL),
            Map.entry("SubscribeToTask", Method.SUBSCRIBE),
            Map.entry("CreateTaskPushNotificationConfig", Method.PUSH),
            Map.entry("GetTaskPushNotificationConfig", Method.PUSH),
            Map.entry("ListTaskPushNotificationConfigs", Method.PUSH),
            Map.entry("DeleteTaskPushNotificationConfig", Method.PUSH),
            Map.entry("GetExtendedAgentCard", Method.EXTENDED_CARD)));

    /** The header and query parameter with the version. */
    static final String HEADER = "A2A-Version";

    private final Map<String, Method> methods;

    A2aVersion(Map<String, Method> methods) {
        this.methods = methods;
    }

    enum Method {
        SEND,
        STREAM,
        GET,
        LIST,
        CANCEL,
        SUBSCRIBE,
        PUSH,
        EXTENDED_CARD
    }

    /** The state of a task. */
    enum State {
        SUBMITTED,
        WORKING,
        INPUT_REQUIRED,
        COMPLETED,
        FAILED,
        CANCELED;

        /** Whether the state is final. */
        boolean isLast() {
            return switch (this) {
                case SUBMITTED, WORKING, INPUT_REQUIRED -> false;
                case COMPLETED, FAILED, CANCELED -> true;
            };
        }
    }

    /**
     * The requested version; 0.3 by default.
     *
     * @throws A2aException for an unknown version
     */
    static A2aVersion of(@Nullable String version) {
        String[] numbers = version == null || version.isBlank()
                ? new String[] {"0", "3"}
                : version.strip().split("\\.");
        String majorMinor = numbers.length < 2 ? numbers[0] : numbers[0] + "." + numbers[1];
        return switch (majorMinor) {
            case "0.3" -> V0_3;
            case "1.0", "1" -> V1_0;
            default ->
                throw new A2aException(
                        Code.VERSION_NOT_SUPPORTED,
                        "The versions 0.3 and 1.0 are supported; name one in the header %s.".formatted(HEADER));
        };
    }

    /** @throws A2aException where this version has no such method */
    Method method(String name) {
        Method method = methods.get(name);
        if (method == null) {
            boolean isOthers = name.length() < 100 && (this == V0_3 ? V1_0 : V0_3).methods.containsKey(name);
            throw new A2aException(
                    Code.METHOD_NOT_FOUND,
                    isOthers
                            ? "'%s' is a method of another version: name it with the header %s.".formatted(name, HEADER)
                            : "There is no such method in this version.");
        }
        return method;
    }

    String state(State state) {
        return this == V1_0
                ? "TASK_STATE_" + state.name()
                : state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String role(boolean isAgent) {
        String role = isAgent ? "agent" : "user";
        return this == V1_0 ? "ROLE_" + role.toUpperCase(Locale.ROOT) : role;
    }

    /** A text part. */
    ObjectNode text(String text) {
        return part("text").put("text", text);
    }

    /** A data part. */
    ObjectNode data(ObjectNode data) {
        ObjectNode part = part("data");
        part.set("data", data);
        return part;
    }

    private ObjectNode part(String kind) {
        return this == V1_0 ? ProtocolJson.object() : ProtocolJson.object().put("kind", kind);
    }

    /**
     * A result or a stream event, which in 0.3 names its kind itself.
     *
     * @param kind name in 0.3
     * @param field name in 1.0
     */
    ObjectNode wrap(String kind, String field, ObjectNode value) {
        if (this == V0_3) {
            return value.put("kind", kind);
        }
        ObjectNode wrapper = ProtocolJson.object();
        wrapper.set(field, value);
        return wrapper;
    }
}
