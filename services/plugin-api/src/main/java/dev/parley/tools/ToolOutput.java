package dev.parley.tools;

import dev.parley.domain.content.Patch;
import java.util.List;

/** What a tool gives back to the model. */
public sealed interface ToolOutput {

    /**
     * What it found or did, in words. Long texts are cut in the middle.
     *
     * @param patches what it made of files of the workspace
     */
    record Text(String text, List<Patch> patches) implements ToolOutput {
        public Text {
            patches = List.copyOf(patches);
        }

        /** Words that tell of no file. */
        public Text(String text) {
            this(text, List.of());
        }
    }

    /** It did not do its work, and knows it; the model reads why, after {@code error: }. */
    record Failed(String why) implements ToolOutput {}

    /**
     * Files for the person, who is sent them at once.
     *
     * @param text for the model, which is told besides what became of each file; may be empty
     */
    record Files(String text, List<Attachment> files) implements ToolOutput {
        public Files {
            files = List.copyOf(files);
        }
    }

    /** A file that a tool made. */
    record Attachment(String name, String mimeType, byte[] bytes) {}

    /** Text. */
    static ToolOutput of(String text) {
        return new Text(text);
    }

    /** One file, without words. */
    static ToolOutput file(String name, String mimeType, byte[] bytes) {
        return new Files("", List.of(new Attachment(name, mimeType, bytes)));
    }
}
