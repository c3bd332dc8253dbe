package dev.parley.tools;

import dev.parley.domain.content.Patch;
import java.util.List;

/** Result of a tool call. */
public sealed interface ToolOutput {

    /**
     * The result as text. Long texts are truncated in the middle.
     *
     * @param patches changes to files of the workspace
     */
    record Text(String text, List<Patch> patches) implements ToolOutput {
        public Text {
            patches = List.copyOf(patches);
        }

        /** A text without file changes. */
        public Text(String text) {
            this(text, List.of());
        }
    }

    /** The call failed without effect; the model reads the reason, prefixed with {@code error: }. */
    record Failed(String why) implements ToolOutput {}

    /**
     * Files, sent to the user immediately.
     *
     * @param text for the model, which also receives the delivery result of each file; may be empty
     */
    record Files(String text, List<Attachment> files) implements ToolOutput {
        public Files {
            files = List.copyOf(files);
        }
    }

    /** A file produced by a tool. */
    record Attachment(String name, String mimeType, byte[] bytes) {}

    /** A text without file changes. */
    static ToolOutput of(String text) {
        return new Text(text);
    }

    /** One file without text. */
    static ToolOutput file(String name, String mimeType, byte[] bytes) {
        return new Files("", List.of(new Attachment(name, mimeType, bytes)));
    }
}
