package dev.parley.agents.model.anthropic;

import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.anthropic.Dialogue.Turn;
import dev.parley.agents.model.wire.Attachments;
import dev.parley.agents.model.wire.Attachments.Shown;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.JsonText;
import dev.parley.agents.model.wire.Transcript;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.turn.Agent;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.domain.turn.ModelRequest;
import dev.parley.domain.turn.ThinkingLevel;
import dev.parley.domain.turn.ToolSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of {@code POST /messages}: everything that the model said before as the blocks that it was, and the rest
 * in the order and pairing that the API wants.
 */
final class MessagesRequest {
    private static final String SCHEMA = "{\"type\":\"object\"}";
    private static final int LEAST_BUDGET = 1_024;

    private final ModelRequest request;
    private final Agent agent;
    private final Family family;
    private final Habits habits;
    private final Dialogue dialogue;
    private final Attachments.Shows files;
    private final List<JsonText> hosted;
    private final @Nullable String schema;
    private final @Nullable String container;
    private final int maxTokens;
    private final int budget;

    /**
     * What an operator can switch off for a provider.
     *
     * @param cache whether the provider is asked to keep what it has read
     * @param binding whether models that bind their thinking are told to leave out what does not fit any more
     */
    record Habits(boolean cache, boolean binding) {
        static Habits of(Map<String, String> options) {
            return new Habits(!"off".equals(options.get("promptCache")), !"off".equals(options.get("thinkingBinding")));
        }

        /** Whether requests to this model say what becomes of thinking that does not fit, which is a beta feature. */
        boolean bind(String model) {
            return binding && Family.of(model).binds();
        }
    }

    /**
     * What the model has said of an answer that it has not finished.
     *
     * @param container where its code runs, or null
     */
    record Paused(List<Block> blocks, @Nullable String container) {
        static final Paused NOT = new Paused(List.of(), null);
    }

    private MessagesRequest(
            ModelRequest request, String provider, Attachments attachments, Habits habits, Paused paused)
            throws ModelFailure {
        this.request = request;
        this.agent = request.agent();
        this.family = Family.of(agent.model());
        this.habits = habits;
        List<Message> messages = Transcript.of(request, provider);
        this.files = attachments.show(messages);
        boolean off = family.thinking() == Family.Thinking.UNLESS_TOLD && agent.thinking() == ThinkingLevel.NONE;
        // Where thinking is off, nothing can be said about what becomes of thinking that does not fit any more.
        this.dialogue = new Dialogue(messages, paused.blocks(), !(off && family.binds()));
        this.container = paused.container();
        JsonText tools = json("hostedTools", agent.options().get("hostedTools"));
        this.hosted = tools.text().startsWith("{") ? List.of(tools) : tools.items();
        this.schema = request.purpose() == ModelRequest.Purpose.REPLY
                ? agent.options().get("responseSchema")
                : null;
        json("responseSchema", schema);
        int wanted = dialogue.mayThink() ? wantedBudget() : 0;
        this.maxTokens =
                Math.min(agent.maxTokens() == null ? family.usual() + wanted : agent.maxTokens(), family.most());
        int room = Math.min(wanted, (int) (maxTokens * 3L / 4));
        this.budget = room < LEAST_BUDGET ? 0 : room;
    }

    /**
     * The body.
     *
     * @param provider the provider's name, which its items carry
     */
    static String body(ModelRequest request, String provider, Attachments attachments, Habits habits, Paused paused)
            throws ModelFailure {
        return new MessagesRequest(request, provider, attachments, habits, paused).body();
    }

    private static JsonText json(String option, @Nullable String text) throws ModelFailure {
        try {
            return text == null || text.isBlank() ? JsonText.MISSING : JsonText.parse(text);
        } catch (IOException e) {
            throw new ModelFailure(ErrorCategory.INVALID_REQUEST, "the agent's option '" + option + "' is no JSON");
        }
    }

    private int wantedBudget() {
        return family.thinking() != Family.Thinking.BUDGET
                ? 0
                : switch (agent.thinking()) {
                    case NONE -> 0;
                    case LOW -> LEAST_BUDGET;
                    case MEDIUM -> 4_096;
                    case HIGH -> 16_000;
                };
    }

    private String body() {
        return JsonOut.object(o -> {
            o.put("model", agent.model()).put("max_tokens", maxTokens).put("stream", true);
            if (!agent.prompt().isBlank()) {
                o.putArray(
                        "system",
                        system -> system.addObject(
                                block -> marked(true, block.put("type", "text").put("text", agent.prompt()))));
            }
            tools(o);
            o.putArray("messages", this::messages);
            settings(o);
        });
    }

    // ---- what was said

    private void messages(JsonOut messages) {
        List<Turn> turns = dialogue.turns();
        // A user's turn is one of the last two when at most one more comes after it.
        for (int i = 0; i < turns.size(); i++) {
            Turn turn = turns.get(i);
            boolean mark = !turn.assistant()
                    && turns.subList(i + 1, turns.size()).stream()
                                    .filter(later -> !later.assistant())
                                    .count()
                            < 2;
            messages.addObject(message -> message.put("role", turn.assistant() ? "assistant" : "user")
                    .putArray("content", content -> parts(turn.parts(), mark, content)));
        }
    }

    private void parts(List<Part> parts, boolean mark, JsonOut content) {
        for (int i = 0; i < parts.size(); i++) {
            part(parts.get(i), mark && i == parts.size() - 1, content);
        }
    }

    private void part(Part part, boolean mark, JsonOut content) {
        switch (part) {
            case Part.Item item -> content.addRaw(item.json());
            case Part.Words words -> words(words.text(), mark, content);
            case Part.Attached attached -> file(attached.file(), mark, content);
            case Part.Call call ->
                content.addObject(o -> o.put("type", "tool_use")
                        .put("id", call.id())
                        .put("name", call.name())
                        .putRaw("input", ToolInput.of(call.arguments())));
            case Part.Result result ->
                content.addObject(o -> marked(
                        mark,
                        o.put("type", "tool_result")
                                .put("tool_use_id", result.callId())
                                .put("content", result.content().isBlank() ? null : result.content())
                                .put("is_error", result.isError() ? true : null)));
        }
    }

    private void file(Block.File file, boolean mark, JsonOut content) {
        switch (files.of(file)) {
            case Shown.Image image -> source("image", image.mimeType(), image.base64(), null, mark, content);
            case Shown.Pdf pdf -> source("document", "application/pdf", pdf.base64(), pdf.name(), mark, content);
            case Shown.Words words -> words(words.text(), mark, content);
        }
    }

    private void source(
            String type, String mimeType, String base64, @Nullable String title, boolean mark, JsonOut content) {
        content.addObject(o -> marked(
                mark,
                o.put("type", type)
                        .putObject(
                                "source",
                                source -> source.put("type", "base64")
                                        .put("media_type", mimeType)
                                        .put("data", base64))
                        .put("title", title)));
    }

    private void words(String text, boolean mark, JsonOut content) {
        content.addObject(o -> marked(mark, o.put("type", "text").put("text", text)));
    }

    /** What was read up to here is to be kept for the next request. */
    private void marked(boolean mark, JsonOut block) {
        if (mark && habits.cache()) {
            block.putObject("cache_control", c -> c.put("type", "ephemeral"));
        }
    }

    // ---- how it is to answer

    private void tools(JsonOut o) {
        List<ToolSpec> declared = request.tools();
        // A history with calls is refused where no tools are declared.
        Set<String> stubs = declared.isEmpty() ? dialogue.tools() : Set.of();
        if (declared.isEmpty() && stubs.isEmpty() && hosted.isEmpty()) {
            return;
        }
        o.putArray("tools", tools -> {
            for (int i = 0; i < declared.size(); i++) {
                ToolSpec tool = declared.get(i);
                boolean last = i == declared.size() - 1;
                tools.addObject(t -> marked(
                        last,
                        t.put("name", tool.name())
                                .put("description", tool.description().isBlank() ? null : tool.description())
                                .putRaw("input_schema", schema(tool.parameters()))));
            }
            stubs.forEach(name -> tools.addObject(t -> t.put("name", name)
                    .put("description", "Not there any more.")
                    .putRaw("input_schema", SCHEMA)));
            hosted.forEach(tool -> tools.addRaw(tool.text()));
        });
        if (!request.toolsAllowed() || (declared.isEmpty() && hosted.isEmpty())) {
            o.putObject("tool_choice", choice -> choice.put("type", "none"));
        }
    }

    /** The schema, which must say that arguments are an object. */
    private static String schema(String parameters) {
        try {
            JsonText schema = JsonText.parse(parameters);
            return schema.at("type").isPresent() || !schema.text().startsWith("{")
                    ? parameters
                    : schema.with(Map.of("type", "\"object\""));
        } catch (IOException e) {
            return SCHEMA;
        }
    }

    private void settings(JsonOut o) {
        String effort = thinking(o);
        if (effort != null || schema != null) {
            o.putObject("output_config", config -> {
                config.put("effort", effort);
                if (schema != null) {
                    config.putObject("format", f -> f.put("type", "json_schema").putRaw("schema", schema));
                }
            });
        }
        sampling(o);
        List<String> stops = agent.options()
                .getOrDefault("stop", "")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        if (!stops.isEmpty()) {
            o.putArray("stop_sequences", s -> stops.forEach(s::add));
        }
        o.put("service_tier", agent.options().get("serviceTier")).put("container", container);
    }

    /** Writes how the model is to think. @return how much effort it is to make, or null for its usual */
    private @Nullable String thinking(JsonOut o) {
        boolean none = agent.thinking() == ThinkingLevel.NONE;
        switch (family.thinking()) {
            case NEVER -> {
                return null;
            }
            case BUDGET -> {
                if (budget > 0) {
                    o.putObject("thinking", t -> t.put("type", "enabled").put("budget_tokens", budget));
                }
                return null;
            }
            case ASKED -> {
                if (none) {
                    return null;
                }
                o.putObject("thinking", t -> t.put("type", "adaptive"));
            }
            case UNLESS_TOLD -> {
                if (none) {
                    o.putObject("thinking", t -> t.put("type", "disabled"));
                    return null;
                }
                adaptive(o, true);
            }
            case ALWAYS -> adaptive(o, !none);
        }
        return switch (agent.thinking()) {
            case NONE, LOW -> "low";
            case MEDIUM -> "medium";
            case HIGH -> "high";
        };
    }

    private void adaptive(JsonOut o, boolean shown) {
        o.putObject("thinking", t -> {
            t.put("type", "adaptive").put("display", shown ? "summarized" : null);
            if (habits.bind(agent.model())) {
                t.putObject("block_binding", b -> b.put("prefix_mismatch_behavior", "drop_block"));
            }
        });
    }

    private void sampling(JsonOut o) {
        Double temperature = agent.temperature();
        Double topP = agent.topP();
        if (!family.isKnown()) {
            o.put("temperature", temperature).put("top_p", topP);
        } else if (family.samples() && thinks()) {
            // While it thinks, a model takes no other temperature than its own.
            o.put("top_p", topP == null || topP < 0.95 || topP > 1 ? null : topP);
        } else if (family.samples()) {
            // Newer ones take one of the two.
            o.put("temperature", temperature == null ? null : Math.clamp(temperature, 0.0, 1.0))
                    .put("top_p", temperature == null ? topP : null);
        }
    }

    private boolean thinks() {
        return budget > 0 || (family.thinking() == Family.Thinking.ASKED && agent.thinking() != ThinkingLevel.NONE);
    }
}
