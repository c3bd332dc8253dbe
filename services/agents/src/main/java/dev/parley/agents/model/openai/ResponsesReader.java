package dev.parley.agents.model.openai;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.JsonText;
import dev.parley.agents.model.wire.ModelEvents;
import dev.parley.agents.model.wire.Refusals;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.domain.turn.FinishReason;
import dev.parley.domain.turn.Usage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what the Responses API streams: shows it while it comes, and keeps each item as it was. */
final class ResponsesReader implements ModelEvents {
    /** Between two messages of one response. */
    private static final String GAP = "\n\n";

    private final String provider;
    private final ModelStream stream;
    private final Map<Long, JsonText> items = new TreeMap<>();
    private final Map<Long, JsonText> begun = new HashMap<>();
    private @Nullable JsonText response;
    private @Nullable ModelFailure failure;
    private long speaking = -1;

    /** @param provider the provider's name, which its items shall carry */
    ResponsesReader(String provider, ModelStream stream) {
        this.provider = provider;
        this.stream = stream;
    }

    @Override
    public boolean event(String data) throws IOException {
        if (data.equals("[DONE]")) {
            return false;
        }
        JsonText event = JsonText.parse(data);
        String type = event.at("type").string();
        long index = event.at("output_index").number();
        String delta = event.at("delta").string();
        switch (type) {
            case "response.output_item.added" -> begun.put(index, event.at("item"));
            case "response.output_text.delta", "response.refusal.delta" -> say(index, delta);
            case "response.reasoning_summary_text.delta", "response.reasoning_text.delta" -> stream.reasoning(delta);
            case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta" -> {
                JsonText call = begun.getOrDefault(index, JsonText.MISSING);
                stream.toolArguments(
                        call.at("call_id").string(), call.at("name").string(), delta);
            }
            case "response.output_item.done" -> items.put(index, event.at("item"));
            case "response.completed", "response.incomplete" -> response = event.at("response");
            case "response.failed" -> failure = Refusals.failure(event.at("response", "error"));
            case "error" -> failure = Refusals.failure(event.at("error").isPresent() ? event.at("error") : event);
            default -> {
                return !type.equals("response.created")
                        && !type.equals("response.in_progress")
                        && !type.equals("response.queued");
            }
        }
        return true;
    }

    private void say(long index, String delta) {
        if (delta.isEmpty()) {
            return;
        }
        if (speaking >= 0 && speaking != index) {
            stream.text(GAP);
        }
        speaking = index;
        stream.text(delta);
    }

    @Override
    public void whole(String body) throws IOException {
        JsonText answer = JsonText.parse(body);
        if (answer.at("error").isPresent()) {
            failure = Refusals.failure(answer.at("error"));
        } else {
            response = answer;
            blocks(items(answer)).stream()
                    .filter(Block.Text.class::isInstance)
                    .forEach(block -> stream.text(((Block.Text) block).text()));
        }
    }

    /** What was answered, once everything has come. @throws ModelFailure when the model gave up, or its stream broke off */
    ModelAnswer answer(String asked) throws ModelFailure {
        if (failure != null) {
            throw failure;
        }
        JsonText end = response;
        if (end == null) {
            throw new ModelFailure(ErrorCategory.NETWORK, "the answer broke off: its stream ended before its end");
        }
        List<Block> blocks = blocks(items(end));
        return new ModelAnswer(
                blocks,
                finish(end, blocks),
                usage(end.at("usage")),
                end.at("model").string(asked),
                end.text());
    }

    /** The items as they were streamed; a server that streams none has them at the end. */
    private List<JsonText> items(JsonText end) {
        return items.isEmpty() ? end.at("output").items() : List.copyOf(items.values());
    }

    /** One block for each item, so that each goes back once. */
    private List<Block> blocks(List<JsonText> found) {
        var blocks = new ArrayList<Block>();
        boolean spoken = false;
        for (JsonText item : found) {
            Block block = block(item, spoken);
            if (block != null) {
                spoken |= block instanceof Block.Text text && !text.text().isEmpty();
                blocks.add(block);
            }
        }
        return blocks;
    }

    private @Nullable Block block(JsonText item, boolean spoken) {
        String type = item.at("type").string();
        var raw = new ProviderItem(provider, type, item.text());
        boolean incomplete = item.at("status").string().equals("incomplete");
        return switch (type) {
            case "message" -> {
                String text = text(item);
                yield new Block.Text(spoken && !text.isEmpty() ? GAP + text : text, raw);
            }
            case "reasoning" -> new Block.Thinking(reasoning(item), null, raw);
            case "function_call" ->
                // Of a call that was cut off nobody knows what it asks for.
                incomplete
                        ? null
                        : new Block.ToolCall(
                                item.at("call_id").string(),
                                item.at("name").string(),
                                item.at("arguments").string(),
                                raw);
            case "custom_tool_call" ->
                incomplete
                        ? null
                        : new Block.ToolCall(
                                item.at("call_id").string(),
                                item.at("name").string(),
                                item.at("input").string(),
                                raw);
            case "local_shell_call", "shell_call", "apply_patch_call", "computer_call" ->
                new Block.ToolCall(item.at("call_id").string(), type.replace("_call", ""), action(item), raw);
            default -> new Block.Raw(raw);
        };
    }

    private static String text(JsonText message) {
        var text = new StringBuilder();
        for (JsonText part : message.at("content").items()) {
            text.append(part.at("text").string()).append(part.at("refusal").string());
        }
        return text.toString();
    }

    private static String reasoning(JsonText item) {
        var parts = new ArrayList<String>();
        for (String list : List.of("summary", "content")) {
            item.at(list).items().forEach(part -> parts.add(part.at("text").string()));
        }
        return String.join(GAP, parts);
    }

    private static String action(JsonText item) {
        JsonText action = item.at("action").isPresent() ? item.at("action") : item.at("operation");
        return action.isPresent() ? action.text() : "{}";
    }

    private static FinishReason finish(JsonText end, List<Block> blocks) {
        if (end.at("status").string().equals("incomplete")) {
            return switch (end.at("incomplete_details", "reason").string()) {
                case "max_output_tokens" -> FinishReason.LENGTH;
                case "content_filter" -> FinishReason.CONTENT_FILTER;
                default -> FinishReason.UNKNOWN;
            };
        }
        return blocks.stream().anyMatch(Block.ToolCall.class::isInstance) ? FinishReason.TOOL_CALLS : FinishReason.STOP;
    }

    private static Usage usage(JsonText usage) {
        return new Usage(
                usage.at("input_tokens").number(),
                usage.at("output_tokens").number(),
                usage.at("output_tokens_details", "reasoning_tokens").number(),
                usage.at("input_tokens_details", "cached_tokens").number(),
                usage.at("input_tokens_details", "cache_write_tokens").number(),
                null);
    }
}
