package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Error of a task or process, in the form of RFC 9457.
 *
 * @param type a URI; see {@link Standard}
 * @param status an HTTP status
 * @param instance pointer to the task that failed
 */
public record WorkflowError(
        String type, int status, String title, @Nullable String detail, String instance) {
    private static final String SPECIFIED = "https://serverlessworkflow.io/spec/1.0.0/errors/";

    /** Error types of the specification. */
    public enum Standard {
        CONFIGURATION(400, "Configuration Error"),
        VALIDATION(400, "Validation Error"),
        EXPRESSION(400, "Expression Error"),
        TIMEOUT(408, "Timeout"),
        COMMUNICATION(500, "Communication Error"),
        RUNTIME(500, "Runtime Error");

        private final int status;
        private final String title;

        Standard(int status, String title) {
            this.status = status;
            this.title = title;
        }

        /** The URI. */
        public String type() {
            return SPECIFIED + name().toLowerCase(Locale.ROOT);
        }

        /** An error of this type. */
        public WorkflowError error(String detail, String instance) {
            return error(status, detail, instance);
        }

        /** An error of this type with another status. */
        public WorkflowError error(int ownStatus, String detail, String instance) {
            return new WorkflowError(type(), ownStatus, title, detail, instance);
        }
    }

    public Json toJson() {
        var members = new LinkedHashMap<String, Json>();
        members.put("type", Json.of(type));
        members.put("status", Json.of(status));
        members.put("title", Json.of(title));
        if (detail != null) {
            members.put("detail", Json.of(detail));
        }
        members.put("instance", Json.of(instance));
        return Json.of(members);
    }

    /** This error with the pointer of another task. */
    WorkflowError at(String pointer) {
        return new WorkflowError(type, status, title, detail, pointer);
    }

    /** Reads the JSON of {@link #toJson}. */
    public static WorkflowError of(Json json) {
        return new WorkflowError(
                json.get("type").display(),
                json.get("status") instanceof Json.Num(BigDecimal status) ? status.intValue() : 500,
                json.get("title").text().orElse(""),
                json.get("detail").text().orElse(null),
                json.get("instance").text().orElse(""));
    }

    /**
     * Whether the error has the given members. Types of the specification are compared by their last segment,
     * because the specification writes them in several ways.
     *
     * @param filter {@code type}, {@code status} and the like
     */
    boolean matches(Json filter) {
        Json json = toJson();
        return filter.map().entrySet().stream().allMatch(member -> {
            Json actual = json.get(member.getKey());
            return actual.equals(member.getValue())
                    || member.getKey().equals("type")
                            && isSpecified(type)
                            && isSpecified(member.getValue().display())
                            && lastSegment(type)
                                    .equals(lastSegment(member.getValue().display()));
        });
    }

    private static boolean isSpecified(String type) {
        return type.startsWith("https://serverlessworkflow.io");
    }

    private static String lastSegment(String type) {
        return type.substring(type.lastIndexOf('/') + 1);
    }
}
