package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.anthropic.AnthropicTranscript.MessageParam;
import dev.parley.agents.model.wire.AnswerOptions;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.FileContent;
import dev.parley.agents.model.wire.FileContent.Image;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.ProviderTranscript;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ModelRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of {@code POST /messages}: the model's earlier answers as verbatim blocks, everything else in the
 * order and pairing that the API requires.
 */
final class MessagesRequest {
    private static final String SCHEMA = "{\"type\":\"object\"}";

    private final ModelRequest request;
    private final Agent agent;
    private final ToolChoice choice;
    private final AnthropicOptions switches;
    private final AnthropicTranscript dialogue;
    private final GenerationSettings settings;
    private final Attachments.FileContents files;
    private final AnswerOptions options;
    private final @Nullable String container;

    /**
     * A paused answer.
     *
     * @param container the id of the container that runs its code, or null
     */
    record Paused(List<Block> blocks, @Nullable String container) {
        static final Paused NOT = new Paused(List.of(), null);
    }

    private MessagesRequest(
            ModelRequest request, String provider, Attachments attachments, AnthropicOptions switches, Paused paused)
            throws ModelFailure {
        List<Message> messages = ProviderTranscript.of(request, provider);
        this.request = request;
        this.choice = choice(request);
        this.agent = isForced(choice) ? request.agent().withThinking(ThinkingLevel.NONE) : request.agent();
        this.switches = switches;
        this.files = attachments.load(messages);
        this.dialogue = new AnthropicTranscript(messages, paused.blocks(), GenerationSettings.remembersThinking(agent));
        this.settings = new GenerationSettings(agent, switches, dialogue.mayThink());
        this.container = paused.container();
        this.options = AnswerOptions.of(request);
    }

    /**
     * The body of a request.
     *
     * @param provider the provider's name, for its items
     */
    static String body(
            ModelRequest request, String provider, Attachments attachments, AnthropicOptions switches, Paused paused)
            throws ModelFailure {
        return new MessagesRequest(request, provider, attachments, switches, paused).body();
    }

    private String body() {
        return JsonOut.object(o -> {
            o.put("model", agent.model())
                    .put("max_tokens", settings.maxTokens())
                    .put("stream", true);
            if (!agent.prompt().isBlank()) {
                o.putArray(
                        "system",
                        system -> system.addObject(block ->
                                markCached(true, block.put("type", "text").put("text", agent.prompt()))));
            }
            writeTools(o);
            o.putArray("messages", this::writeMessages);
            settings.write(o, options);
            o.put("container", container);
        });
    }

    private void writeMessages(JsonOut messages) {
        List<MessageParam> turns = dialogue.turns();
        for (int i = 0; i < turns.size(); i++) {
            MessageParam turn = turns.get(i);
            boolean mark = !turn.assistant() && i >= turns.size() - 4; // roles alternate: two of these are the user's
            messages.addObject(message -> message.put("role", turn.assistant() ? "assistant" : "user")
                    .putArray("content", content -> writeParts(turn.parts(), mark, content)));
        }
    }

    private void writeParts(List<ContentPart> parts, boolean mark, JsonOut content) {
        for (int i = 0; i < parts.size(); i++) {
            writePart(parts.get(i), mark && i == parts.size() - 1, content);
        }
    }

    private void writePart(ContentPart part, boolean mark, JsonOut content) {
        switch (part) {
            case ContentPart.Item item -> content.addRaw(item.json());
            case ContentPart.Text text -> writeText(text.text(), mark, content);
            case ContentPart.Attached attached -> writeFile(attached.file(), mark, content);
            case ContentPart.Call call ->
                content.addObject(o -> o.put("type", "tool_use")
                        .put("id", call.id())
                        .put("name", call.name())
                        .putRaw("input", ToolInput.of(call.arguments())));
            case ContentPart.Result result ->
                content.addObject(o -> {
                    o.put("type", "tool_result").put("tool_use_id", result.callId());
                    writeResult(result, o);
                    markCached(mark, o.put("is_error", result.isError() ? true : null));
                });
        }
    }

    private void writeResult(ContentPart.Result result, JsonOut o) {
        Image.in(result.content())
                .ifPresentOrElse(
                        picture -> o.putArray(
                                "content",
                                c -> writeSource("image", picture.mimeType(), picture.base64(), null, false, c)),
                        () -> o.put("content", result.content().isBlank() ? null : result.content()));
    }

    private void writeFile(Block.File file, boolean mark, JsonOut content) {
        switch (files.of(file)) {
            case FileContent.Image image -> writeSource("image", image.mimeType(), image.base64(), null, mark, content);
            case FileContent.Pdf pdf ->
                writeSource("document", "application/pdf", pdf.base64(), pdf.name(), mark, content);
            case FileContent.Text text -> writeText(text.text(), mark, content);
        }
    }

    private void writeSource(
            String type, String mimeType, String base64, @Nullable String title, boolean mark, JsonOut content) {
        content.addObject(o -> markCached(
                mark,
                o.put("type", type)
                        .putObject(
                                "source",
                                source -> source.put("type", "base64")
                                        .put("media_type", mimeType)
                                        .put("data", base64))
                        .put("title", title)));
    }

    private void writeText(String text, boolean mark, JsonOut content) {
        content.addObject(o -> markCached(mark, o.put("type", "text").put("text", text)));
    }

    /** Marks the end of a prefix to be cached for the next request. */
    private void markCached(boolean mark, JsonOut block) {
        if (mark && switches.cache()) {
            block.putObject("cache_control", c -> c.put("type", "ephemeral"));
        }
    }

    private void writeTools(JsonOut o) {
        List<ToolSpec> declared = request.tools().stream()
                .filter(tool -> options.hostedTools().stream()
                        .noneMatch(hosted -> hosted.at("name").string().equals(tool.name())))
                .toList();
        // The API rejects a history with tool calls if no tools are declared.
        Set<String> stubs = declared.isEmpty() ? dialogue.tools() : Set.of();
        if (declared.isEmpty() && stubs.isEmpty() && options.hostedTools().isEmpty()) {
            return;
        }
        o.putArray("tools", tools -> {
            for (int i = 0; i < declared.size(); i++) {
                writeTool(declared.get(i), i == declared.size() - 1, tools);
            }
            stubs.forEach(name -> tools.addObject(t -> t.put("name", name)
                    .put("description", "Not there any more.")
                    .putRaw("input_schema", SCHEMA)));
            options.hostedTools().forEach(tool -> tools.addRaw(tool.text()));
        });
        boolean isBare = declared.isEmpty() && options.hostedTools().isEmpty();
        writeToolChoice(isBare ? ToolChoice.NONE : choice, o);
    }

    private void writeTool(ToolSpec tool, boolean mark, JsonOut tools) {
        tools.addObject(t -> markCached(
                mark,
                t.put("name", tool.name())
                        .put("description", tool.description().isBlank() ? null : tool.description())
                        .putRaw("input_schema", schema(tool.parameters()))));
    }

    private void writeToolChoice(ToolChoice choice, JsonOut o) {
        Boolean single = agent.callsInParallel() ? null : true;
        switch (choice) {
            case ToolChoice.Auto _ when single == null -> {}
            case ToolChoice.Auto _ -> writeToolChoice("auto", null, single, o);
            case ToolChoice.None _ -> writeToolChoice("none", null, null, o);
            case ToolChoice.Required _ -> writeToolChoice("any", null, single, o);
            case ToolChoice.Named named -> writeToolChoice("tool", named.tool(), single, o);
        }
    }

    private static void writeToolChoice(String type, @Nullable String tool, @Nullable Boolean single, JsonOut o) {
        o.putObject("tool_choice", c -> c.put("type", type).put("name", tool).put("disable_parallel_tool_use", single));
    }

    /**
     * Forced tool calls exclude thinking: thinking is switched off, and a model that always thinks chooses by itself.
     */
    private static ToolChoice choice(ModelRequest request) {
        ToolChoice requested = request.toolChoice();
        boolean alwaysThinks =
                ModelCapabilities.of(request.agent().model()).thinking() == ModelCapabilities.Thinking.ALWAYS;
        return alwaysThinks && isForced(requested) ? ToolChoice.AUTO : requested;
    }

    private static boolean isForced(ToolChoice choice) {
        return choice instanceof ToolChoice.Required || choice instanceof ToolChoice.Named;
    }

    /** The schema, with the type {@code object} that the API requires. */
    private static String schema(String parameters) {
        try {
            VerbatimJson schema = VerbatimJson.parse(parameters);
            return schema.at("type").isPresent() || !schema.text().startsWith("{")
                    ? parameters
                    : schema.with(Map.of("type", "\"object\""));
        } catch (IOException e) {
            return SCHEMA;
        }
    }
}
