package dev.parley.agents.model.chat;

import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.chat.ServerQuirks.Server;
import dev.parley.agents.model.wire.AnswerOptions;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.FileContent;
import dev.parley.agents.model.wire.FileContent.Image;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.ProviderTranscript;
import dev.parley.agents.model.wire.StreamedText;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ModelRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of {@code POST /chat/completions} in the dialect of its server; tools and settings with {@link
 * ChatSettings}.
 */
final class ChatCompletionRequest {
    /** Replaces an image in a tool result, which the API does not support. */
    private static final String PICTURE = "[a picture]";

    /** OpenAI rejects longer ids. */
    private static final int MAX_ID_LENGTH = 40;

    private static final Pattern NOT_IN_NAMES = Pattern.compile("[^A-Za-z0-9_-]");

    /** Replaces the signature of a call that this model did not make; older models use no signatures. */
    private static final String UNSIGNED = "{\"google\":{\"thought_signature\":\"skip_thought_signature_validator\"}}";

    private static final Pattern WITHOUT_SIGNATURES = Pattern.compile("(models/)?gemini-[12][.-].*");

    private final Agent agent;
    private final ServerQuirks quirks;
    private final Server server;
    private final List<Message> messages;
    private final Attachments.FileContents files;
    private final AnswerOptions options;
    private final ChatSettings settings;
    private final Set<String> ownIds;

    private ChatCompletionRequest(ModelRequest request, String provider, ServerQuirks quirks, Attachments attachments)
            throws ModelFailure {
        this.agent = request.agent();
        this.quirks = quirks;
        this.server = quirks.server();
        this.messages = ProviderTranscript.of(request, provider);
        this.files = attachments.load(messages);
        this.options = AnswerOptions.of(request);
        this.settings = new ChatSettings(request, quirks, options);
        this.ownIds = messages.stream()
                .flatMap(message -> Message.toolCalls(message.blocks()).stream())
                .filter(call -> call.raw() != null)
                .map(Block.ToolCall::id)
                .collect(Collectors.toSet());
    }

    /**
     * The body of a request.
     *
     * @param provider the provider's name, for its items
     */
    static String body(ModelRequest request, String provider, ServerQuirks quirks, Attachments attachments)
            throws ModelFailure {
        return new ChatCompletionRequest(request, provider, quirks, attachments).body();
    }

    private String body() {
        return JsonOut.object(o -> {
            o.put("model", agent.model()).put("stream", true);
            if (quirks.streamUsage()) {
                o.putObject(
                        "stream_options",
                        s -> s.put("include_usage", true)
                                .put("include_obfuscation", server == Server.OPENAI ? false : null));
            }
            o.putArray("messages", this::writeMessages);
            settings.write(o);
        });
    }

    private void writeMessages(JsonOut out) {
        String task = task();
        if (!task.isBlank()) {
            out.addObject(o -> o.put("role", quirks.developerRole() ? "developer" : "system")
                    .put("content", task));
        }
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            switch (message.role()) {
                case USER -> writeUser(message, out);
                case ASSISTANT -> writeAssistant(message, replays(i), out);
                case TOOL -> message.blocks().forEach(block -> writeResult(block, out));
            }
        }
    }

    private String task() {
        String schema = options.schema();
        return schema == null || server.knowsSchemas()
                ? agent.prompt()
                : (agent.prompt() + StreamedText.GAP + "Answer with JSON that follows this schema:\n" + schema).strip();
    }

    private void writeUser(Message message, JsonOut out) {
        List<FileContent> parts =
                message.blocks().stream().flatMap(this::toContent).toList();
        if (parts.isEmpty()) {
            return;
        }
        out.addObject(o -> {
            o.put("role", "user");
            if (parts.stream().allMatch(FileContent.Text.class::isInstance)) {
                o.put(
                        "content",
                        parts.stream()
                                .map(part -> ((FileContent.Text) part).text())
                                .collect(Collectors.joining(StreamedText.GAP)));
            } else {
                o.putArray("content", c -> parts.forEach(part -> writePart(part, c)));
            }
        });
    }

    private Stream<FileContent> toContent(Block block) {
        return switch (block) {
            case Block.Text text -> Stream.of(new FileContent.Text(text.text()));
            case Block.File file -> Stream.of(takes(files.of(file), file));
            case Block.ToolCall _, Block.ToolResult _, Block.Thinking _, Block.RedactedThinking _, Block.Raw _ ->
                Stream.empty(); // no parts of user messages
        };
    }

    private FileContent takes(FileContent content, Block.File file) {
        boolean refused = switch (content) {
            case FileContent.Image image -> image.mimeType().equals("image/gif") && !server.takesGif();
            case FileContent.Pdf _ -> !server.takesPdf();
            case FileContent.Text _ -> false;
        };
        return refused
                ? new FileContent.Text("[file '%s', %s, %d bytes: is of a kind that cannot be shown]"
                        .formatted(file.name(), file.mimeType(), file.size()))
                : content;
    }

    private static void writePart(FileContent part, JsonOut content) {
        switch (part) {
            case FileContent.Image image ->
                content.addObject(o ->
                        o.put("type", "image_url").putObject("image_url", u -> u.put("url", image.url())));
            case FileContent.Pdf pdf ->
                content.addObject(o -> o.put("type", "file")
                        .putObject(
                                "file",
                                f -> f.put("filename", pdf.name())
                                        .put("file_data", "data:application/pdf;base64," + pdf.base64())));
            case FileContent.Text text ->
                content.addObject(o -> o.put("type", "text").put("text", text.text()));
        }
    }

    private void writeAssistant(Message message, boolean replay, JsonOut out) {
        List<Block.ToolCall> calls = Message.toolCalls(message.blocks());
        String text = text(message);
        if (calls.isEmpty() && text.isBlank()) {
            return; // the API rejects a message with only reasoning
        }
        out.addObject(o -> {
            o.put("role", "assistant");
            if (text.isBlank()) {
                o.putRaw("content", "null");
            } else {
                o.put("content", text);
            }
            writeReasoning(message, replay, o);
            writeUnknownMembers(message, o);
            if (!calls.isEmpty()) {
                o.putArray("tool_calls", c -> writeCalls(calls, c));
            }
        });
    }

    private static String text(Message message) {
        return message.blocks().stream()
                .filter(Block.Text.class::isInstance)
                .map(block -> ((Block.Text) block).text())
                .collect(Collectors.joining(message.interrupted() ? StreamedText.GAP : ""));
    }

    /** Only the first of parallel calls has a signature. */
    private void writeCalls(List<Block.ToolCall> calls, JsonOut out) {
        boolean unsigned = needsSignature() && calls.stream().allMatch(call -> call.raw() == null);
        for (int i = 0; i < calls.size(); i++) {
            writeCall(calls.get(i), unsigned && i == 0, out);
        }
    }

    private void writeReasoning(Message message, boolean replay, JsonOut out) {
        boolean sent = false;
        for (Block block : message.blocks()) {
            if (replay && block instanceof Block.Thinking thinking && thinking.raw() != null) {
                splice(thinking.raw(), out);
                sent = true;
            }
        }
        if (replay && !sent && server == Server.DEEPSEEK) {
            out.put("reasoning_content", ""); // DeepSeek rejects a message without the member
        }
    }

    private void writeUnknownMembers(Message message, JsonOut out) {
        for (Block block : message.blocks()) {
            if (block instanceof Block.Raw unknown && server.takesUnknownMembers()) {
                splice(unknown.raw(), out);
            }
        }
    }

    /** Adds the members that came with a message back to it. */
    private static void splice(ProviderItem item, JsonOut message) {
        parse(item.json()).members().forEach((name, value) -> message.putRaw(name, value.text()));
    }

    /** Whether the reasoning of this message is sent back. */
    private boolean replays(int index) {
        return switch (quirks.replayReasoning()) {
            case ALWAYS -> true;
            case NEVER -> false;
            case TOOLS -> hasCalledTools(index);
        };
    }

    /** Whether tools were called in the turn of this message. */
    private boolean hasCalledTools(int index) {
        int from = index;
        while (from > 0 && messages.get(from - 1).role() != Role.USER) {
            from--;
        }
        return messages.stream()
                .skip(from)
                .takeWhile(message -> message.role() != Role.USER)
                .anyMatch(message -> !Message.toolCalls(message.blocks()).isEmpty());
    }

    private void writeCall(Block.ToolCall call, boolean unsigned, JsonOut calls) {
        ProviderItem raw = call.raw();
        boolean readable = !server.readsArguments() || VerbatimJson.isObject(arguments(call));
        if (raw != null && readable) {
            calls.addRaw(raw.json());
            return;
        }
        String arguments = readable ? call.arguments() : object(arguments(call));
        calls.addObject(o -> {
            o.put("id", id(call.id()))
                    .put("type", "function")
                    .putObject("function", f -> f.put("name", name(call, raw)).put("arguments", arguments));
            if (raw != null) {
                writeUnknownMembers(raw, o);
            }
            if (unsigned) {
                o.putRaw("extra_content", UNSIGNED);
            }
        });
    }

    private static void writeUnknownMembers(ProviderItem call, JsonOut out) {
        parse(call.json()).members().forEach((name, value) -> {
            if (!StreamedToolCalls.OWN.contains(name)) {
                out.putRaw(name, value.text());
            }
        });
    }

    /** The arguments as they were received. */
    private static String arguments(Block.ToolCall call) {
        ProviderItem raw = call.raw();
        return raw == null
                ? call.arguments()
                : parse(raw.json()).at("function", "arguments").string();
    }

    /** An object that contains arguments which are not an object. */
    private static String object(String arguments) {
        return arguments.isBlank() ? "{}" : JsonOut.object(o -> o.put("_invalid", arguments));
    }

    private String name(Block.ToolCall call, @Nullable ProviderItem raw) {
        return raw == null && server == Server.OPENAI
                ? NOT_IN_NAMES.matcher(call.name()).replaceAll("_")
                : call.name();
    }

    private String id(String id) {
        return server == Server.OPENAI && id.length() > MAX_ID_LENGTH && !ownIds.contains(id)
                ? "call_" + Ids.of("call", id).toString().replace("-", "")
                : id;
    }

    private void writeResult(Block block, JsonOut out) {
        if (block instanceof Block.ToolResult result) {
            out.addObject(o -> o.put("role", "tool")
                    .put("tool_call_id", id(result.toolCallId()))
                    .put("content", Image.in(result.content()).isPresent() ? PICTURE : result.content()));
        }
    }

    private boolean needsSignature() {
        return server == Server.GEMINI
                && !WITHOUT_SIGNATURES.matcher(agent.model()).matches();
    }

    private static VerbatimJson parse(String json) {
        try {
            return VerbatimJson.parse(json);
        } catch (IOException e) {
            throw new UncheckedIOException("an item of this provider is not valid JSON", e);
        }
    }
}
