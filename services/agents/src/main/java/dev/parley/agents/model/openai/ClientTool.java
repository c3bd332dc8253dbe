package dev.parley.agents.model.openai;

import dev.parley.agents.model.wire.FileContent.Image;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.ProviderErrors;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.content.Block;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tool that OpenAI's models have built in and that the client executes. A call is mapped to Parley's tool of the same
 * name; its result is sent back in the form of the API.
 */
enum ClientTool {
    COMPUTER,
    LOCAL_SHELL,
    SHELL,
    APPLY_PATCH;

    /** The screenshot of a result without one: a white pixel, as PNG. */
    static final String BLANK =
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4//8/AAX+Av4zEpUUAAAAAElFTkSuQmCC";

    /** The tool's name. */
    String tool() {
        return name().toLowerCase(Locale.ROOT);
    }

    private String callType() {
        return tool() + "_call";
    }

    /** The tool that an item of this type calls. */
    static Optional<ClientTool> findByCallType(String itemType) {
        return Arrays.stream(values())
                .filter(tool -> tool.callType().equals(itemType))
                .findFirst();
    }

    /** The tool that an entry of {@code hostedTools} declares. */
    static Optional<ClientTool> findByDeclaration(VerbatimJson hosted) {
        String type = hosted.at("type").string();
        return type.startsWith("computer_use")
                ? Optional.of(COMPUTER)
                : Arrays.stream(values())
                        .filter(tool -> tool.tool().equals(type))
                        .findFirst();
    }

    /** Whether an item is the result of a call that the provider executed itself, as with its own shell. */
    boolean isAnswered(VerbatimJson call, VerbatimJson item) {
        return item.at("type").string().equals(callType() + "_output")
                && item.at("call_id").string().equals(call.at("call_id").string());
    }

    /** The arguments of a call, verbatim. */
    String arguments(VerbatimJson call) {
        return switch (this) {
            case LOCAL_SHELL, SHELL -> call.at("action").text();
            case APPLY_PATCH -> call.at("operation").text();
            case COMPUTER ->
                JsonOut.object(o -> List.of("action", "actions", "pending_safety_checks")
                        .forEach(name -> o.putRaw(name, presentText(call.at(name)))));
        };
    }

    private static @Nullable String presentText(VerbatimJson value) {
        return value.isPresent() ? value.text() : null;
    }

    /** Whether a call has safety checks that a person has to acknowledge; until then the API accepts no result. */
    static boolean isPending(VerbatimJson call) {
        return !call.at("pending_safety_checks").items().isEmpty();
    }

    /** Writes the item with the result of a call. */
    void answer(VerbatimJson call, Block.ToolResult result, JsonOut input) {
        input.addObject(o -> {
            o.put("type", callType() + "_output")
                    .put("call_id", result.toolCallId())
                    .putRaw("caller", presentText(call.at("caller")));
            switch (this) {
                case COMPUTER ->
                    o.putRaw("output", screenshot(result).orElseGet(() -> screenshot("image_url", BLANK)))
                            .putRaw(
                                    "acknowledged_safety_checks",
                                    isPending(call)
                                            ? call.at("pending_safety_checks").text()
                                            : null);
                case LOCAL_SHELL -> o.put("id", result.toolCallId()).put("output", result.content());
                case SHELL -> writeShellOutput(call, result, o);
                case APPLY_PATCH ->
                    o.put("status", result.isError() ? "failed" : "completed").put("output", result.content());
            }
        });
    }

    /** A message about a result that its item cannot express. */
    Optional<String> note(Block.ToolResult result) {
        return this == COMPUTER && screenshot(result).isEmpty()
                ? Optional.of("[the computer's call %s has no picture: %s]"
                        .formatted(result.toolCallId(), ProviderErrors.brief(result.content())))
                : Optional.empty();
    }

    /** The screenshot of a result, without unknown members, which the API rejects. */
    private static Optional<String> screenshot(Block.ToolResult result) {
        VerbatimJson object = Image.object(result.content());
        String url = object.at("image_url").string();
        String file = object.at("file_id").string();
        if (url.isEmpty() && !file.isEmpty()) {
            return Optional.of(screenshot("file_id", file));
        }
        return url.startsWith("https://")
                ? Optional.of(screenshot("image_url", url))
                : Image.in(result.content()).map(picture -> screenshot("image_url", picture.url()));
    }

    private static String screenshot(String member, String value) {
        return JsonOut.object(o -> o.put("type", "computer_screenshot").put(member, value));
    }

    private static void writeShellOutput(VerbatimJson call, Block.ToolResult result, JsonOut o) {
        List<VerbatimJson> pieces = pieces(result.content());
        o.putArray("output", output -> {
            if (pieces.isEmpty()) {
                output.addObject(piece -> piece.put("stdout", result.content())
                        .put("stderr", "")
                        .putObject(
                                "outcome", end -> end.put("type", "exit").put("exit_code", result.isError() ? 1 : 0)));
            }
            pieces.forEach(outputPiece -> output.addObject(piece -> piece.putRaw(
                            "stdout", outputPiece.at("stdout").text())
                    .putRaw("stderr", outputPiece.at("stderr").text())
                    .putObject(
                            "outcome",
                            end -> end.putRaw(
                                            "type",
                                            outputPiece.at("outcome", "type").text())
                                    .putRaw("exit_code", presentText(outputPiece.at("outcome", "exit_code"))))));
        });
        o.putRaw("max_output_length", presentText(call.at("action", "max_output_length")));
    }

    /** The outputs of the commands if a result has the API's form; empty for plain text. */
    private static List<VerbatimJson> pieces(String content) {
        List<VerbatimJson> pieces = VerbatimJson.orMissing(content).items();
        return pieces.stream().allMatch(ClientTool::isShellPiece) ? pieces : List.of();
    }

    private static boolean isShellPiece(VerbatimJson piece) {
        VerbatimJson outcome = piece.at("outcome");
        boolean isExit = outcome.at("type").string().equals("exit")
                && outcome.at("exit_code").text().matches("-?\\d{1,9}");
        boolean isTimeout = outcome.at("type").string().equals("timeout")
                && !outcome.at("exit_code").isPresent();
        return piece.at("stdout").isString() && piece.at("stderr").isString() && (isExit || isTimeout);
    }
}
