package dev.parley.tools;

/** What a tool gives back to the model. */
public sealed interface ToolOutput {

    /** What it found or did, in words. Long texts are cut in the middle. */
    record Text(String text) implements ToolOutput {}

    /** It did not do its work, and knows it; the model reads why, after {@code error: }. */
    record Failed(String why) implements ToolOutput {}

    /** Bytes, which a model cannot read; it is told what they were. */
    record Binary(String mimeType, long size) implements ToolOutput {}

    /** Text. */
    static ToolOutput of(String text) {
        return new Text(text);
    }
}
