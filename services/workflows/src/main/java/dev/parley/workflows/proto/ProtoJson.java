package dev.parley.workflows.proto;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UninitializedMessageException;
import com.google.protobuf.util.JsonFormat;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.io.IOException;

/**
 * The JSON mapping of Protocol Buffers: 64-bit integers are strings, bytes are base64, times, durations and wrappers
 * are plain values. Field names are read in both forms ({@code user_id}, {@code userId}) and written in the second.
 *
 * @see <a href="https://protobuf.dev/programming-guides/json/">JSON of Protocol Buffers</a>
 */
public final class ProtoJson {
    private ProtoJson() {}

    /**
     * The bytes of a message.
     *
     * @throws IllegalArgumentException if the JSON does not match the type, with the reason
     */
    public static byte[] bytes(Descriptor type, Json json) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        try {
            JsonFormat.parser().usingTypeRegistry(types(type)).merge(json.toString(), message);
            return message.build().toByteArray();
        } catch (InvalidProtocolBufferException | UninitializedMessageException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The JSON of a message. Fields without presence, such as lists and numbers of proto3, are always included.
     *
     * @param limit maximum characters of the JSON
     * @throws IllegalArgumentException if the bytes are not of this type, or the JSON exceeds the limit
     */
    public static Json read(Descriptor type, byte[] bytes, int limit) {
        var text = new Bounded(new StringBuilder(), limit);
        try {
            JsonFormat.printer()
                    .usingTypeRegistry(types(type))
                    .omittingInsignificantWhitespace()
                    .alwaysPrintFieldsWithNoPresence()
                    .appendTo(DynamicMessage.parseFrom(type, bytes), text);
        } catch (IOException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
        return JsonText.read(text.toString());
    }

    private static JsonFormat.TypeRegistry types(Descriptor type) {
        return JsonFormat.TypeRegistry.newBuilder()
                .add(ProtoText.knownTypes())
                .add(type.getFile().getMessageTypes())
                .build();
    }

    /** Limits the size of the JSON, because empty messages include all their fields. */
    private record Bounded(StringBuilder text, int limit) implements Appendable {
        private void reserve(int count) throws IOException {
            if (text.length() + count > limit) {
                throw new IOException("it has more than %,d characters as JSON".formatted(limit));
            }
        }

        @Override
        public Appendable append(CharSequence characters) throws IOException {
            reserve(characters.length());
            text.append(characters);
            return this;
        }

        @Override
        public Appendable append(CharSequence characters, int start, int end) throws IOException {
            reserve(end - start);
            text.append(characters, start, end);
            return this;
        }

        @Override
        public Appendable append(char character) throws IOException {
            reserve(1);
            text.append(character);
            return this;
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
