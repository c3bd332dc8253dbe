package dev.parley.sessions.projection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Patch;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.StopSequences;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.protocol.TurnEvent.GuardrailApplied;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.json.JsonMappers;
import dev.parley.sessions.SearchText;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps content blocks to message parts: kind, queryable content, search text. */
final class PartMapping {
    static final String PENDING = "pending";
    static final String RUNNING = "running";
    static final String COMPLETED = "completed";
    static final String ERROR = "error";

    /** Items of tools that the provider executes itself. */
    private static final Set<String> PROVIDER_TOOLS = Set.of(
            "web_search_call",
            "file_search_call",
            "code_interpreter_call",
            "image_generation_call",
            "mcp_call",
            "server_tool_use",
            "web_search_tool_result",
            "web_fetch_tool_result",
            "code_execution_tool_result");

    private static final ObjectMapper JSON = JsonMappers.stored();

    private PartMapping() {}

    /** The id of a part of a message. */
    static UUID id(UUID messageId, int idx) {
        return Ids.of("part", messageId, idx);
    }

    /** Whether Parley does not know this kind of block. */
    static boolean isUnknown(Block block) {
        return block instanceof Block.Raw raw
                && !PROVIDER_TOOLS.contains(raw.raw().type());
    }

    static Row.Part of(Row.Message message, int idx, Block block) {
        Row.Part part = blank(message, idx);
        ProviderItem raw = block.raw();
        if (raw != null) {
            part.raw = ColumnText.clean(raw.json());
            part.rawProvider = ColumnText.clip(raw.provider(), 64);
            part.itemType = ColumnText.clip(raw.type(), 64);
        }
        switch (block) {
            case Block.Text text -> text(part, text);
            case Block.Thinking thinking -> thinking(part, thinking);
            case Block.RedactedThinking redacted ->
                fill(part, "reasoning", content().put("data", ColumnText.clean(redacted.data())), null);
            case Block.ToolCall call -> call(part, call);
            case Block.ToolResult result -> orphanResult(part, result);
            case Block.File file -> file(part, file);
            case Block.Raw item -> item(part, item);
        }
        return part;
    }

    /** The part that marks the start of a model call. */
    static Row.Part stepStart(Row.Message message, int step) {
        Row.Part part = blank(message, 0);
        fill(part, "step-start", content().put("step", step), null);
        return part;
    }

    /** The part that marks the end of a model call, with its usage; without usage where no model answered. */
    static Row.Part stepFinish(Row.Message message, int idx, String finish, @Nullable Usage usage) {
        Row.Part part = blank(message, idx);
        ObjectNode content = content().put("finish", finish);
        if (usage != null) {
            content.put("input", usage.input())
                    .put("output", usage.output())
                    .put("reasoning", usage.reasoning())
                    .put("cacheRead", usage.cacheRead())
                    .put("cacheWrite", usage.cacheWrite())
                    .put("cost", cost(usage));
        }
        fill(part, "step-finish", content, null);
        return part;
    }

    /** Cost in dollars, or null where the price is unknown. */
    static @Nullable BigDecimal cost(Usage usage) {
        Long nanos = usage.costNanos();
        return nanos == null ? null : BigDecimal.valueOf(nanos, 9);
    }

    /** Puts the result of a tool call into its part, with the files and patches it produced. */
    static void setResult(Row.Part part, String result, boolean isError, List<Block.File> files, List<Patch> patches) {
        ObjectNode content =
                read(part.content).put("result", ColumnText.clean(result)).put("isError", isError);
        var names = new StringBuilder();
        if (!files.isEmpty()) {
            ArrayNode array = content.putArray("files");
            files.forEach(file -> describe(file, array.addObject()));
            files.forEach(file -> names.append('\n').append(file.name()));
        }
        if (!patches.isEmpty()) {
            ArrayNode array = content.putArray("patches");
            patches.forEach(patch -> array.addObject()
                    .put("path", ColumnText.clean(patch.path()))
                    .put("from", patch.from())
                    .put("to", patch.to())
                    .put("before", patch.before())
                    .put("after", patch.after()));
        }
        part.content = content.toString();
        part.toolStatus = isError ? ERROR : COMPLETED;
        part.searchText = foldForSearch(part.searchText + "\n" + result + names);
    }

    /** Ends a call that will not be executed. */
    static void abandonCall(Row.Part part, String reason) {
        part.content = read(part.content).put("error", reason).toString();
        part.toolStatus = ERROR;
    }

    private static Row.Part blank(Row.Message message, int idx) {
        var part = new Row.Part();
        part.hostId = message.hostId;
        part.projectId = message.projectId;
        part.sessionId = message.sessionId;
        part.messageId = message.messageId;
        part.partId = id(message.messageId, idx);
        part.idx = idx;
        part.version = message.version;
        part.updateTs = message.updateTs;
        part.createdTs = message.updateTs;
        return part;
    }

    private static void text(Row.Part part, Block.Text text) {
        String clean = ColumnText.clean(text.text());
        fill(part, "text", content().put("text", clean), clean);
    }

    private static void thinking(Row.Part part, Block.Thinking thinking) {
        ObjectNode content = content().put("text", ColumnText.clean(thinking.text()));
        if (thinking.signature() != null) {
            content.put("signature", ColumnText.clean(thinking.signature()));
        }
        fill(part, "reasoning", content, null);
    }

    private static void call(Row.Part part, Block.ToolCall call) {
        ObjectNode content = content()
                .put("id", ColumnText.clean(call.id()))
                .put("name", ColumnText.clean(call.name()))
                .put("arguments", ColumnText.clean(call.arguments()));
        fill(part, "tool", content, call.name() + "\n" + call.arguments());
        tool(part, call.name(), call.id(), PENDING, "parley");
    }

    /** A result without its call, as the context of a fork may contain. */
    private static void orphanResult(Row.Part part, Block.ToolResult result) {
        ObjectNode content = content()
                .put("id", ColumnText.clean(result.toolCallId()))
                .put("result", ColumnText.clean(result.content()))
                .put("isError", result.isError());
        fill(part, "tool", content, result.content());
        tool(part, null, result.toolCallId(), result.isError() ? ERROR : COMPLETED, "parley");
    }

    private static void file(Row.Part part, Block.File file) {
        fill(part, "file", describe(file, content()), file.name());
        if (file.transcript() != null) {
            setTranscript(part, file.transcript());
        }
    }

    private static ObjectNode describe(Block.File file, ObjectNode json) {
        return json.put("name", ColumnText.clean(file.name()))
                .put("mimeType", ColumnText.clean(file.mimeType()))
                .put("size", file.size())
                .put("sha256", ColumnText.clean(file.sha256()));
    }

    /** Whether the part is this recording and has no transcript yet. */
    static boolean isUntranscribed(Row.Part part, Block.File recording) {
        ObjectNode content = read(part.content);
        return part.kind.equals("file")
                && !content.has("transcript")
                && content.path("sha256").asText().equals(recording.sha256());
    }

    /** The text of this part, as a block. */
    static Optional<Block> textBlock(Row.Part part) {
        ObjectNode content = read(part.content);
        return switch (part.kind) {
            case "text" -> Optional.of(Block.text(content.path("text").asText()));
            case "file" ->
                Optional.of(
                        new Block.File("", "", 0, "", content.path("transcript").asText(""), null));
            default -> Optional.empty();
        };
    }

    /** Puts the transcript of a recording into its part. */
    static void setTranscript(Row.Part part, String transcript) {
        part.content = read(part.content)
                .put("transcript", ColumnText.clean(transcript))
                .toString();
        part.searchText = foldForSearch(part.searchText + "\n" + transcript);
    }

    /** Settings as JSON, in the form of the API. */
    static String settings(Settings settings) {
        ObjectNode json = content();
        put(json, "model", settings.model());
        put(
                json,
                "thinking",
                settings.thinking() == null ? null : settings.thinking().name().toLowerCase(Locale.ROOT));
        if (settings.temperature() != null) {
            json.put("temperature", settings.temperature());
        }
        if (settings.topP() != null) {
            json.put("topP", settings.topP());
        }
        if (settings.maxTokens() != null) {
            json.put("maxTokens", settings.maxTokens());
        }
        options(json, settings.options());
        return json.toString();
    }

    private static void options(ObjectNode json, Map<String, String> options) {
        String stop = options.get("stop");
        if (stop != null) {
            StopSequences.read(stop).forEach(json.putArray("stop")::add);
        }
        String schema = options.get("responseSchema");
        if (schema != null) {
            json.set("responseSchema", read(schema));
        }
        if (options.containsKey(Settings.STRICT_SCHEMA)) {
            json.put(Settings.STRICT_SCHEMA, true);
        }
        for (String name : List.of("verbosity", Agent.TOOL_CHOICE, Agent.MEMORY, Settings.APPROVALS)) {
            put(json, name, options.get(name));
        }
        String skills = options.get(Settings.SKILLS);
        if (skills != null) {
            Stream.of(skills.split(",")).forEach(json.putArray(Settings.SKILLS)::add);
        }
        bounds(json, options);
    }

    private static void bounds(ObjectNode json, Map<String, String> options) {
        for (String bound : Settings.BOUNDS) {
            String value = options.get(bound);
            if (value != null) {
                json.put(bound, Long.parseLong(value));
            }
        }
    }

    /** A session's own rules as JSON, in the form of the API; null where there are none. */
    static @Nullable String permissions(List<PermissionRule> rules) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (PermissionRule rule : rules) {
            array.addObject()
                    .put("id", rule.id().toString())
                    .put("tool", ColumnText.clean(rule.tool()))
                    .put("pattern", ColumnText.clean(rule.pattern()))
                    .put("action", rule.action().code())
                    .put("by", ColumnText.clipNullable(rule.createdBy(), 256));
        }
        return array.isEmpty() ? null : array.toString();
    }

    /**
     * The guardrail results of a turn as a JSON array, with those of one more event.
     *
     * @param before the array so far, or null
     */
    static String addGuardrail(@Nullable String before, GuardrailApplied event, Instant time) {
        ArrayNode array = before == null ? JsonNodeFactory.instance.arrayNode() : array(before);
        array.addObject()
                .put("stage", event.stage().code())
                .put("step", event.step())
                .put("guardrail", ColumnText.clean(event.guardrail()))
                .put("action", event.action().code())
                .put("reason", ColumnText.clean(event.reason()))
                .put("at", time.toString());
        return array.toString();
    }

    private static ArrayNode array(String json) {
        try {
            return JSON.readTree(json) instanceof ArrayNode array ? array : JsonNodeFactory.instance.arrayNode();
        } catch (JsonProcessingException e) {
            return JsonNodeFactory.instance.arrayNode();
        }
    }

    private static void put(ObjectNode json, String name, @Nullable String value) {
        if (value != null) {
            json.put(name, ColumnText.clean(value));
        }
    }

    private static void item(Row.Part part, Block.Raw item) {
        if (isUnknown(item)) {
            fill(part, "raw", content(), null);
        } else {
            fill(part, "tool", content().put("name", item.raw().type()), null);
            tool(part, item.raw().type(), null, COMPLETED, "provider");
        }
    }

    private static void tool(
            Row.Part part, @Nullable String name, @Nullable String callId, String status, String executedBy) {
        part.toolName = ColumnText.clipNullable(name, 126);
        part.toolCallId = ColumnText.clipNullable(callId, 256);
        part.toolStatus = status;
        part.executedBy = executedBy;
    }

    private static void fill(Row.Part part, String kind, ObjectNode content, @Nullable String searched) {
        part.kind = kind;
        part.content = content.toString();
        part.searchText = searched == null || searched.isBlank() ? null : foldForSearch(searched);
    }

    private static String foldForSearch(String text) {
        return ColumnText.clean(SearchText.foldText(text));
    }

    private static ObjectNode content() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode read(String content) {
        try {
            return JSON.readTree(content) instanceof ObjectNode object ? object : content();
        } catch (JsonProcessingException e) {
            return content();
        }
    }
}
