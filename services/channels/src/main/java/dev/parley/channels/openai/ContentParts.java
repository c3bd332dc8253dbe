package dev.parley.channels.openai;

import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.TurnRequest.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of message content: texts and files. Files are sent inline, because the server fetches none. */
final class ContentParts {
    private static final Pattern DATA_URL =
            Pattern.compile("data:([\\w.+-]+/[\\w.+-]+)(?:;[^,;]*)*;base64,", Pattern.CASE_INSENSITIVE);

    private ContentParts() {}

    /** The parts of a user message: a string, or a list of parts. */
    static List<Part> read(RequestFields message) {
        if (message.get("content").isTextual()) {
            return List.of(MessageParts.text(message.get("content").textValue()));
        }
        var parts = new ArrayList<Part>();
        for (RequestFields part : message.objects("content")) {
            parts.add(part(part));
        }
        if (parts.isEmpty()) {
            throw ProtocolException.missing(message.param("content"));
        }
        return parts;
    }

    /** The text of other messages, without files. */
    static String textOf(RequestFields message, String field) {
        if (message.get(field).isTextual()) {
            return message.get(field).textValue();
        }
        var text = new StringBuilder();
        for (RequestFields part : message.objects(field)) {
            String value = part.text(part.has("refusal") ? "refusal" : "text");
            text.append(value == null ? "" : value);
        }
        return text.toString();
    }

    private static Part part(RequestFields part) {
        String type = part.requireText("type");
        return switch (type) {
            case "text", "input_text", "output_text" ->
                MessageParts.text(part.has("text") ? String.valueOf(part.text("text")) : "");
            case "image_url" -> file(part.object("image_url"), "url", "image");
            case "input_image" -> file(part, "image_url", "image");
            case "file" -> file(part.object("file"), "file_data", name(part.object("file")));
            case "input_file" -> file(part, "file_data", name(part));
            case "input_audio" -> audio(part.object("input_audio"));
            default ->
                throw ProtocolException.unsupported(
                        part.param("type"),
                        "Parts of the type '%s' are not supported; there are text, images, audio and files."
                                .formatted(type));
        };
    }

    private static String name(RequestFields file) {
        String name = file.text("filename");
        return name == null ? "file" : name;
    }

    private static Part file(RequestFields file, String field, String name) {
        for (String elsewhere : List.of("file_id", "file_url")) {
            if (file.has(elsewhere)) {
                throw notInline(file.param(elsewhere));
            }
        }
        String data = file.requireText(field);
        Matcher url = DATA_URL.matcher(data);
        if (url.lookingAt()) {
            String type = url.group(1);
            return MessageParts.file(addExtension(name, type), type, data.substring(url.end()));
        }
        if (data.contains(":")) {
            throw notInline(file.param(field));
        }
        return MessageParts.file(name, "application/octet-stream", data);
    }

    private static ProtocolException notInline(String param) {
        return ProtocolException.unsupported(
                param, "The server fetches no files: send the bytes as a data URL, data:TYPE;base64,…");
    }

    private static String addExtension(String name, String type) {
        return name.contains(".") ? name : name + "." + type.substring(type.indexOf('/') + 1);
    }

    private static Part audio(RequestFields audio) {
        String format = audio.requireText("format");
        String type = format.equals("mp3") ? "audio/mpeg" : "audio/" + format;
        return MessageParts.file("audio." + format, type, audio.requireText("data"));
    }
}
