package dev.parley.channels.openai.request;

import dev.parley.channels.contract.Part;
import dev.parley.channels.protocols.MessageParts;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.RequestFields;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of message content: texts and files. Files are sent inline, because the server fetches none. */
final class ContentParts {
    private static final Pattern DATA_URL =
            Pattern.compile("data:([\\w.+-]+/[\\w.+-]+)(?:;[^,;]*)*;base64,", Pattern.CASE_INSENSITIVE);

    /** The types of parts with text; {@code refusal} is the text of a model that refused. */
    private static final Set<String> TEXTS = Set.of("text", "input_text", "output_text", "refusal");

    private static final Pattern WHITE_SPACE = Pattern.compile("[ \\t\\r\\n]+");

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
            String type = part.has("type") ? part.requireText("type") : "text";
            String name = type.equals("refusal") ? type : "text";
            if (!TEXTS.contains(type)) {
                throw ProtocolException.unsupported(
                        part.param("type"),
                        "Parts of the type '%s' are not supported here: only user messages have files."
                                .formatted(type));
            }
            text.append(Objects.requireNonNullElse(part.text(name), ""));
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
            return MessageParts.file(addExtension(name, type), type, base64(file, field, data.substring(url.end())));
        }
        if (data.contains(":")) {
            throw notInline(file.param(field));
        }
        return MessageParts.file(name, "application/octet-stream", base64(file, field, data));
    }

    /** Base64 without line ends, with which many programs write it. */
    private static String base64(RequestFields file, String field, String data) {
        String joined = WHITE_SPACE.matcher(data).replaceAll("");
        try {
            var _ = Base64.getDecoder().decode(joined);
            return joined;
        } catch (IllegalArgumentException e) {
            throw file.invalid(field, "base64");
        }
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
        return MessageParts.file("audio." + format, type, base64(audio, "data", audio.requireText("data")));
    }
}
