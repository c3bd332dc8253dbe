package dev.parley.agents.model.openai;

import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.wire.AnswerOptions;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.FileContent;
import dev.parley.agents.model.wire.FileContent.Image;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.OpenAiFamily;
import dev.parley.agents.model.wire.ProviderTranscript;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ModelRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the body of {@code POST /responses}: stateless, with the model's earlier answers as verbatim items. */
final class ResponsesRequest {
    private static final Set<String> PICTURE = Set.of("type", "id", "status");

    private final ModelRequest request;
    private final Agent agent;
    private final OpenAiFamily family;
    private final AnswerOptions options;
    private final List<Message> messages;
    private final Attachments.FileContents shown;
    private final Map<String, VerbatimJson> calls = new HashMap<>();
    private final List<Block> notes = new ArrayList<>();

    private ResponsesRequest(ModelRequest request, String provider, Attachments attachments) throws ModelFailure {
        this.request = request;
        this.agent = request.agent();
        this.family = OpenAiFamily.of(agent.model());
        this.options = AnswerOptions.of(request);
        this.messages = ProviderTranscript.of(request, provider);
        this.shown = attachments.load(messages);
    }

    /**
     * The body of a request.
     *
     * @param provider the provider's name, for its items
     */
    static String body(ModelRequest request, String provider, Attachments attachments) throws ModelFailure {
        return new ResponsesRequest(request, provider, attachments).body();
    }

    private String body() {
        return JsonOut.object(o -> {
            o.put("model", agent.model())
                    .put("store", false)
                    .put("stream", true)
                    .putObject("stream_options", s -> s.put("include_obfuscation", false))
                    .put("instructions", agent.prompt().isBlank() ? null : agent.prompt())
                    .putArray("input", this::writeInput);
            writeTools(o);
            writeSettings(o);
        });
    }

    private void writeInput(JsonOut input) {
        for (Message message : messages) {
            if (message.role() != Role.TOOL) {
                writeNotes(input);
            }
            writeItems(message, input);
        }
        writeNotes(input);
    }

    /** Writes the notes about results after all of them: nothing may come between a call and its output. */
    private void writeNotes(JsonOut input) {
        if (!notes.isEmpty()) {
            writeItems(new Message(Role.USER, notes, false, null, null), input);
            notes.clear();
        }
    }

    private void writeItems(Message message, JsonOut input) {
        if (message.role() == Role.USER) {
            input.addObject(o -> o.put("type", "message")
                    .put("role", "user")
                    .putArray("content", c -> message.blocks().forEach(block -> writePart(block, c))));
        } else {
            sendable(message.blocks()).forEach(block -> writeItem(block, input));
        }
    }

    private void writePart(Block block, JsonOut content) {
        switch (block) {
            case Block.Text text -> writeText(text.text(), content);
            case Block.File file -> {
                switch (shown.of(file)) {
                    case FileContent.Image image -> writeImage(image.url(), content);
                    case FileContent.Pdf pdf ->
                        content.addObject(o -> o.put("type", "input_file")
                                .put("filename", pdf.name())
                                .put("file_data", "data:application/pdf;base64," + pdf.base64()));
                    case FileContent.Text fileText -> writeText(fileText.text(), content);
                }
            }
            case Block.ToolCall _,
                    Block.ToolResult _,
                    Block.Thinking _,
                    Block.RedactedThinking _,
                    Block.Raw _ -> {} // no parts of user messages
        }
    }

    private static void writeText(String text, JsonOut content) {
        content.addObject(o -> o.put("type", "input_text").put("text", text));
    }

    private void writeItem(Block block, JsonOut input) {
        ProviderItem raw = block.raw();
        if (raw != null) {
            writeVerbatim(block, raw, input);
            return;
        }
        switch (block) {
            case Block.Text text ->
                input.addObject(
                        o -> o.put("type", "message").put("role", "assistant").put("content", text.text()));
            case Block.ToolCall call ->
                input.addObject(o -> o.put("type", "function_call")
                        .put("call_id", call.id())
                        .put("name", call.name())
                        .put("arguments", call.arguments()));
            case Block.ToolResult result -> writeResult(result, input);
            case Block.Thinking _, Block.RedactedThinking _, Block.File _, Block.Raw _ -> {}
        }
    }

    private void writeVerbatim(Block block, ProviderItem raw, JsonOut input) {
        if (block instanceof Block.ToolCall call) {
            calls.put(call.id(), json(raw));
        }
        if (block instanceof Block.File file && shown.of(file) instanceof FileContent.Image image) {
            writeGeneratedImage(json(raw), image.base64(), input);
        } else {
            input.addRaw(raw.json());
        }
    }

    /** A generated image with its bytes restored, and only the members that the API accepts. */
    private static void writeGeneratedImage(VerbatimJson item, String base64, JsonOut input) {
        input.addObject(o -> item.members().forEach((name, value) -> {
            if (name.equals("result")) {
                o.put(name, base64);
            } else if (PICTURE.contains(name)) {
                o.putRaw(name, value.text());
            }
        }));
    }

    private void writeResult(Block.ToolResult result, JsonOut input) {
        VerbatimJson call = calls.getOrDefault(result.toolCallId(), VerbatimJson.MISSING);
        String type = call.at("type").string("function_call");
        ClientTool tool = ClientTool.findByCallType(type).orElse(null);
        if (tool == null) {
            input.addObject(
                    o -> writeOutput(result, o.put("type", type + "_output").put("call_id", result.toolCallId())));
        } else {
            tool.answer(call, result, input);
            tool.note(result).map(Block::text).ifPresent(notes::add);
        }
    }

    private static void writeOutput(Block.ToolResult result, JsonOut o) {
        Image.in(result.content())
                .ifPresentOrElse(
                        picture -> o.putArray("output", output -> writeImage(picture.url(), output)),
                        () -> o.put("output", result.content()));
    }

    private static void writeImage(String url, JsonOut content) {
        content.addObject(
                o -> o.put("type", "input_image").put("detail", "auto").put("image_url", url));
    }

    /**
     * The blocks that the API accepts. Reasoning without its encrypted content cannot be resolved, so the blocks after
     * it are written without their items; trailing reasoning is rejected. A call with unacknowledged safety checks
     * accepts no result, so it and the reasoning before it are also written without their items; likewise an image
     * whose file is missing or too large.
     */
    private List<Block> sendable(List<Block> blocks) {
        var sent = new ArrayList<Block>();
        boolean lost = false;
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block instanceof Block.Thinking) {
                lost = isLost(block.raw()) || leadsToAnother(blocks.subList(i + 1, blocks.size()));
            }
            if (block instanceof Block.File file) {
                sent.add(lost || isGone(file) ? ProviderTranscript.inWords(file) : file);
            } else if (lost || isPending(block)) {
                block.portable().ifPresent(sent::add);
            } else {
                sent.add(block);
            }
        }
        while (!sent.isEmpty() && sent.getLast() instanceof Block.Thinking) {
            sent.removeLast();
        }
        return sent;
    }

    private static boolean isLost(@Nullable ProviderItem raw) {
        return raw == null || json(raw).at("encrypted_content").string().isEmpty();
    }

    /** Whether a block follows that cannot be sent back verbatim. */
    private boolean leadsToAnother(List<Block> followers) {
        return followers.stream()
                .takeWhile(block -> !(block instanceof Block.Thinking))
                .anyMatch(block -> isPending(block)
                        || (block instanceof Block.File file && isGone(file))
                        || (block instanceof Block.Text text && text.raw() == null));
    }

    private boolean isGone(Block.File file) {
        return file.raw() == null || !(shown.of(file) instanceof FileContent.Image);
    }

    /** Whether a call has unacknowledged safety checks and so was not executed. */
    private boolean isPending(Block block) {
        ProviderItem raw = block.raw();
        return block instanceof Block.ToolCall call
                && raw != null
                && ClientTool.isPending(json(raw))
                && messages.stream()
                        .flatMap(message -> message.blocks().stream())
                        .noneMatch(other -> other instanceof Block.ToolResult result
                                && result.toolCallId().equals(call.id())
                                && !result.isError());
    }

    private static VerbatimJson json(ProviderItem raw) {
        return VerbatimJson.orMissing(raw.json());
    }

    private void writeTools(JsonOut o) {
        if (request.tools().isEmpty() && options.hostedTools().isEmpty()) {
            return;
        }
        // Hosted tools are not declared a second time.
        Set<String> hostedNames = options.hostedTools().stream()
                .flatMap(hosted -> ClientTool.findByDeclaration(hosted).stream())
                .map(ClientTool::tool)
                .collect(Collectors.toSet());
        o.putArray("tools", tools -> {
            request.tools().stream()
                    .filter(tool -> !hostedNames.contains(tool.name()))
                    .forEach(tool -> writeFunction(tool, tools));
            options.hostedTools().forEach(tool -> tools.addRaw(tool.text()));
        });
        o.put("parallel_tool_calls", agent.callsInParallel());
        writeToolChoice(hostedNames, o);
    }

    private void writeToolChoice(Set<String> hostedNames, JsonOut o) {
        switch (request.toolChoice()) {
            case ToolChoice.Auto _ -> {}
            case ToolChoice.None _ -> o.put("tool_choice", "none");
            case ToolChoice.Required _ -> o.put("tool_choice", "required");
            case ToolChoice.Named named when hostedNames.contains(named.tool()) -> o.put("tool_choice", "required");
            case ToolChoice.Named named ->
                o.putObject("tool_choice", c -> c.put("type", "function").put("name", named.tool()));
        }
    }

    private static void writeFunction(ToolSpec tool, JsonOut tools) {
        tools.addObject(o -> o.put("type", "function")
                .put("name", tool.name())
                .put("description", tool.description())
                .putRaw("parameters", tool.parameters())
                .put("strict", false));
    }

    private void writeSettings(JsonOut o) {
        if (family.samples(agent.thinking() == ThinkingLevel.NONE)) {
            o.put("temperature", agent.temperature()).put("top_p", agent.topP());
        }
        o.put("max_output_tokens", agent.maxTokens());
        writeReasoning(o);
        writeTextSettings(o);
        if (hasPreviewOfComputer()) {
            o.put("truncation", "auto"); // the preview requires it
        }
        o.put("service_tier", agent.options().get("serviceTier"));
        // Requests of one session share a prefix, which the provider's prompt cache can reuse.
        o.put("prompt_cache_key", request.sessionId().toString());
    }

    private void writeReasoning(JsonOut o) {
        String effort = effort();
        String summary = family == OpenAiFamily.TALKS ? null : agent.options().get("reasoningSummary");
        if (effort != null || summary != null) {
            o.putObject("reasoning", r -> r.put("effort", effort).put("summary", summary));
        }
        if (family == OpenAiFamily.REASONS || family == OpenAiFamily.MAY_REFRAIN || effort != null) {
            o.putArray("include", i -> i.add("reasoning.encrypted_content"));
        }
    }

    private boolean hasPreviewOfComputer() {
        return options.hostedTools().stream()
                .anyMatch(hosted -> hosted.at("type").string().equals("computer_use_preview"));
    }

    private @Nullable String effort() {
        boolean samples = agent.temperature() != null || agent.topP() != null;
        if (agent.thinking() == ThinkingLevel.NONE) {
            return family == OpenAiFamily.MAY_REFRAIN && samples ? "none" : null;
        }
        return family == OpenAiFamily.TALKS ? null : agent.thinking().name().toLowerCase(Locale.ROOT);
    }

    private void writeTextSettings(JsonOut o) {
        String verbosity = agent.options().get("verbosity");
        String schema = options.schema();
        if (verbosity == null && schema == null) {
            return;
        }
        o.putObject("text", text -> {
            text.put("verbosity", verbosity);
            if (schema != null) {
                text.putObject(
                        "format",
                        f -> f.put("type", "json_schema")
                                .put("name", "answer")
                                .put("strict", true)
                                .putRaw("schema", schema));
            }
        });
    }
}
