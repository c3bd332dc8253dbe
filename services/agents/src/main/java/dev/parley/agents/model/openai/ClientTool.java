package dev.parley.agents.model.openai;

import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.JsonText;
import dev.parley.agents.model.wire.Picture;
import dev.parley.agents.model.wire.Refusals;
import dev.parley.domain.content.Block;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tool of OpenAI's that models know without being told, and that others carry out. A call is one of Parley's tool of the
 * same name; its result goes back in the form that the API has for it.
 */
enum ClientTool {
    COMPUTER,
    LOCAL_SHELL,
    SHELL,
    APPLY_PATCH;

    /** What is shown of a computer that nobody could look at: a white dot, as PNG. */
    static final String BLANK =
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4//8/AAX+Av4zEpUUAAAAAElFTkSuQmCC";

    private static final String SCREENSHOT = "computer_screenshot";

    /** The tool's name. */
    String tool() {
        return name().toLowerCase(Locale.ROOT);
    }

    private String callType() {
        return tool() + "_call";
    }

    /** The tool that an item of this type calls. */
    static Optional<ClientTool> calledBy(String itemType) {
        return Arrays.stream(values())
                .filter(tool -> tool.callType().equals(itemType))
                .findFirst();
    }

    /** The tool that this one of {@code hostedTools} declares. */
    static Optional<ClientTool> declaredBy(JsonText hosted) {
        String type = hosted.at("type").string();
        return type.startsWith("computer_use")
                ? Optional.of(COMPUTER)
                : Arrays.stream(values())
                        .filter(tool -> tool.tool().equals(type))
                        .findFirst();
    }

    /** Whether the provider itself has carried a call out and this is what came of it, as with a shell of its own. */
    boolean isAnswered(JsonText call, JsonText item) {
        return item.at("type").string().equals(callType() + "_output")
                && item.at("call_id").string().equals(call.at("call_id").string());
    }

    /** What a call asks for, as it came. */
    String arguments(JsonText call) {
        return switch (this) {
            case LOCAL_SHELL, SHELL -> call.at("action").text();
            case APPLY_PATCH -> call.at("operation").text();
            case COMPUTER ->
                JsonOut.object(o -> List.of("action", "actions", "pending_safety_checks")
                        .forEach(name -> o.putRaw(name, there(call.at(name)))));
        };
    }

    private static @Nullable String there(JsonText value) {
        return value.isPresent() ? value.text() : null;
    }

    /** Whether a call waits for a person's permission: until that is there, the API takes no result of it. */
    static boolean isPending(JsonText call) {
        return !call.at("pending_safety_checks").items().isEmpty();
    }

    /** Writes the item that answers a call. */
    void answer(JsonText call, Block.ToolResult result, JsonOut input) {
        input.addObject(o -> {
            o.put("type", callType() + "_output")
                    .put("call_id", result.toolCallId())
                    .putRaw("caller", there(call.at("caller")));
            switch (this) {
                case COMPUTER ->
                    o.putRaw("output", screenshot(result).orElseGet(() -> screenshot(JsonText.MISSING, BLANK)));
                case LOCAL_SHELL -> o.put("id", result.toolCallId()).put("output", result.content());
                case SHELL -> shell(call, result, o);
                case APPLY_PATCH ->
                    o.put("status", result.isError() ? "failed" : "completed").put("output", result.content());
            }
        });
    }

    /** What a person would have to say of a result that its item has no room for. */
    Optional<String> note(Block.ToolResult result) {
        return this == COMPUTER && screenshot(result).isEmpty()
                ? Optional.of("[the computer's call %s has no picture: %s]"
                        .formatted(result.toolCallId(), Refusals.brief(result.content())))
                : Optional.empty();
    }

    private static Optional<String> screenshot(Block.ToolResult result) {
        JsonText object = Picture.object(result.content());
        String url = object.at("image_url").string();
        if (url.startsWith("https://")
                || (url.isEmpty() && !object.at("file_id").string().isEmpty())) {
            return Optional.of(object.with(Map.of("type", quoted(SCREENSHOT))));
        }
        return Picture.in(result.content()).map(picture -> screenshot(object, picture.url()));
    }

    private static String screenshot(JsonText object, String url) {
        return object.isPresent()
                ? object.with(Map.of("type", quoted(SCREENSHOT), "image_url", quoted(url)))
                : JsonOut.object(o -> o.put("type", SCREENSHOT).put("image_url", url));
    }

    private static String quoted(String plain) {
        return '"' + plain + '"';
    }

    private static void shell(JsonText call, Block.ToolResult result, JsonOut o) {
        if (isShellOutput(result.content())) {
            o.putRaw("output", result.content());
        } else {
            o.putArray(
                    "output",
                    output -> output.addObject(piece -> piece.put("stdout", result.content())
                            .put("stderr", "")
                            .putObject(
                                    "outcome",
                                    end -> end.put("type", "exit").put("exit_code", result.isError() ? 1 : 0))));
        }
        o.putRaw("max_output_length", there(call.at("action", "max_output_length")));
    }

    private static boolean isShellOutput(String content) {
        try {
            List<JsonText> pieces = content.stripLeading().startsWith("[")
                    ? JsonText.parse(content).items()
                    : List.of();
            return !pieces.isEmpty() && pieces.stream().allMatch(ClientTool::isShellPiece);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isShellPiece(JsonText piece) {
        JsonText outcome = piece.at("outcome");
        boolean ended = outcome.at("type").string().equals("exit")
                && outcome.at("exit_code").text().matches("-?\\d{1,9}");
        return piece.at("stdout").isString()
                && piece.at("stderr").isString()
                && (ended || outcome.at("type").string().equals("timeout"));
    }
}
