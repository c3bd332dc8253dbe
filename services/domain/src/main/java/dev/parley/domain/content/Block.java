package dev.parley.domain.content;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A piece of a message. {@code raw}, where there is one, is what its provider sent and wants back. */
public sealed interface Block {

    /** The provider's own item behind this block, or null where Parley or a person made it. */
    @Nullable
    ProviderItem raw();

    /** About how many bytes this block weighs in a request; strings count their characters. */
    default int weight() {
        ProviderItem item = raw();
        return item == null ? 0 : item.json().length();
    }

    /** What somebody says. */
    record Text(String text, @Nullable ProviderItem raw) implements Block {
        public Text {
            Objects.requireNonNull(text, "text");
        }

        @Override
        public int weight() {
            return text.length() + Block.super.weight();
        }
    }

    /**
     * A model asks for a tool.
     *
     * @param id the model's own id for the call, which its result must repeat
     * @param arguments JSON exactly as the model wrote it, even where it is no JSON; {@code {}} for none
     */
    record ToolCall(
            String id,
            String name,
            String arguments,
            @Nullable ProviderItem raw) implements Block {
        public ToolCall {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(name, "name");
            arguments = arguments.isEmpty() ? "{}" : arguments;
        }

        @Override
        public int weight() {
            return arguments.length() + name.length() + Block.super.weight();
        }
    }

    /** What a tool answered to the call with this id; {@code isError} where it could not do its work. */
    record ToolResult(
            String toolCallId,
            String content,
            boolean isError,
            @Nullable ProviderItem raw) implements Block {
        public ToolResult {
            Objects.requireNonNull(toolCallId, "toolCallId");
            Objects.requireNonNull(content, "content");
        }

        @Override
        public int weight() {
            return content.length() + Block.super.weight();
        }
    }

    /** A model's reasoning; sent back only to the provider that signed it, and only with its signature. */
    record Thinking(
            String text,
            @Nullable String signature,
            @Nullable ProviderItem raw) implements Block {
        public Thinking {
            Objects.requireNonNull(text, "text");
        }

        @Override
        public int weight() {
            return text.length() + Block.super.weight();
        }
    }

    /** Reasoning that only its provider can read. */
    record RedactedThinking(String data, @Nullable ProviderItem raw) implements Block {
        public RedactedThinking {
            Objects.requireNonNull(data, "data");
        }

        @Override
        public int weight() {
            return data.length() + Block.super.weight();
        }
    }

    /**
     * A file by reference; its bytes stand in the blob store.
     *
     * @param sha256 hex digest of the bytes, their address in the blob store
     * @param size bytes
     * @param transcript what is said in a recording, empty where nothing can be understood; null of other files, and until
     *     it is known
     */
    record File(
            String name,
            String mimeType,
            long size,
            String sha256,
            @Nullable String transcript,
            @Nullable ProviderItem raw)
            implements Block {
        public File {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(mimeType, "mimeType");
            Objects.requireNonNull(sha256, "sha256");
        }

        /** Whether it is a recording of which nobody has written down yet what is said in it. */
        public boolean isUnheard() {
            return transcript == null && isRecording();
        }

        /** Whether somebody can be heard in it. */
        public boolean isRecording() {
            return mimeType.toLowerCase(Locale.ROOT).startsWith("audio/");
        }

        /** The same file with what is said in it. */
        public File saying(String text) {
            return new File(name, mimeType, size, sha256, text, raw);
        }

        @Override
        public int weight() {
            return name.length() + (transcript == null ? 0 : transcript.length()) + Block.super.weight();
        }
    }

    /** An item of a kind that Parley does not know: kept, and replayed to its provider. */
    record Raw(ProviderItem raw) implements Block {
        public Raw {
            Objects.requireNonNull(raw, "raw");
        }
    }

    /** A text block of a person or of Parley itself. */
    static Block.Text text(String text) {
        return new Text(text, null);
    }
}
