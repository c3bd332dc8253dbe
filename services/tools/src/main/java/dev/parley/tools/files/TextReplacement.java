package dev.parley.tools.files;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.tools.files.WorkspaceException.Kind;

/**
 * The replacement of a text in a file, by the tools {@code file_edit} and {@code repo_edit}.
 *
 * @param everywhere whether to replace every occurrence; otherwise there must be exactly one
 */
public record TextReplacement(String oldText, String newText, boolean everywhere) {
    /** Its arguments in the JSON Schema of a tool. */
    public static final String PROPERTIES = """
            "old_text":{"type":"string","minLength":1,"description":"Text to replace, exactly as in the file, without line numbers."},\
            "new_text":{"type":"string","description":"Replacement text."},\
            "replace_all":{"type":"boolean","description":"Whether to replace every occurrence. Defaults to false."}""";

    /** The replacement in the arguments of a call. */
    public static TextReplacement of(JsonNode arguments) {
        return new TextReplacement(
                arguments.get("old_text").asText(),
                arguments.get("new_text").asText(),
                arguments.path("replace_all").asBoolean(false));
    }

    /**
     * The text after the replacement.
     *
     * @throws WorkspaceException when the old text is missing or ambiguous, or nothing would change
     */
    public String apply(String text) {
        if (oldText.equals(newText)) {
            throw invalid("old_text and new_text are the same");
        }
        int found = count(text);
        if (found == 0) {
            throw invalid("the file has no such old_text; it must match to the character, with spaces and line ends"
                    + (text.contains("\r\n") && oldText.indexOf('\n') >= 0 ? ": its lines end with \\r\\n" : ""));
        }
        if (found > 1 && !everywhere) {
            throw invalid("the old_text is in the file " + found
                    + " times; give more of what stands around it, or set replace_all to true");
        }
        long length = text.length() + (long) found * (newText.length() - oldText.length());
        if (length > Workspace.MAX_TEXT) {
            throw new WorkspaceException(Kind.TOO_LARGE, "the file would have " + length + " characters");
        }
        return text.replace(oldText, newText);
    }

    private int count(String text) {
        int count = 0;
        for (int index = text.indexOf(oldText); index >= 0; index = text.indexOf(oldText, index + oldText.length())) {
            count++;
        }
        return count;
    }

    private static WorkspaceException invalid(String reason) {
        return new WorkspaceException(Kind.INVALID, reason);
    }
}
