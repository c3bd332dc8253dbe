package dev.parley.domain.document;

import java.util.Collection;

/**
 * An invalid field of a document.
 *
 * @param field path of the field, such as {@code limits.maxSteps}; empty for the whole document
 * @param problem rest of a sentence that begins with the field
 */
public record Fault(String field, String problem) {
    /** The problem of a required field that a document does not have. */
    public static final String MISSING = "is missing";

    /** The beginning of the problem of a field that its record does not have. */
    public static final String UNKNOWN = "is unknown";

    /** A field that is none of these. */
    public static Fault unknown(String field, Collection<String> known) {
        return new Fault(field, UNKNOWN + "; known fields are " + String.join(", ", known));
    }

    /** The code for programs: {@code missing_field}, {@code unknown_field} or {@code invalid_field}. */
    public String code() {
        return problem.equals(MISSING)
                ? "missing_field"
                : problem.startsWith(UNKNOWN) ? "unknown_field" : "invalid_field";
    }

    /** The fault in a document that has this one at a path. */
    public Fault at(String path) {
        boolean joins = path.isEmpty() || field.isEmpty() || field.startsWith("[");
        return new Fault(joins ? path + field : path + "." + field, problem);
    }

    /** The fault as a sentence. */
    public String sentence() {
        return (field.isEmpty() ? "The document " : "The field '" + field + "' ") + problem;
    }
}
