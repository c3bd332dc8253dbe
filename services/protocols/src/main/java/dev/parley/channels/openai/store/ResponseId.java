package dev.parley.channels.openai.store;

import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.domain.Ids;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a response, and of its items: at most 64 characters, because other servers of the protocol refuse longer
 * ones.
 */
public record ResponseId(UUID id) {
    private static final Pattern FORM = Pattern.compile("resp_([0-9a-f]{32})");
    private static final Pattern ITEM = Pattern.compile("[a-z]{2,4}_([0-9a-f]{32})_(i?)([0-9]{1,5})");

    /**
     * An item of a response.
     *
     * @param isInput whether it is one of its input, otherwise of its output
     * @param index among them
     */
    public record Item(ResponseId response, boolean isInput, int index) {}

    /**
     * The id of the response that a turn gives from one of its model calls on: a repeated request has the same.
     *
     * @param firstStep number of the first model call of the response
     */
    public static ResponseId of(UUID turn, int firstStep) {
        return new ResponseId(Ids.of("response", turn, firstStep));
    }

    /** Parses the id of a response; empty where it is malformed. */
    public static Optional<ResponseId> parse(String id) {
        Matcher matcher = FORM.matcher(id);
        return matcher.matches()
                ? Optional.of(new ResponseId(ExternalTurnId.uuid(matcher.group(1))))
                : Optional.empty();
    }

    /** Parses the id of an item; empty where no response has it. */
    public static Optional<Item> item(String id) {
        Matcher matcher = ITEM.matcher(id);
        return matcher.matches()
                ? Optional.of(new Item(
                        new ResponseId(ExternalTurnId.uuid(matcher.group(1))),
                        !matcher.group(2).isEmpty(),
                        Integer.parseInt(matcher.group(3))))
                : Optional.empty();
    }

    /** The id of the response. */
    public String text() {
        return "resp_" + ExternalTurnId.hex(id);
    }

    /** The id of a message of its output. */
    public String message(int index) {
        return output("msg", index);
    }

    /** The id of a function call of its output. */
    public String call(int index) {
        return output("fc", index);
    }

    /** The id of reasoning in its output. */
    public String reasoning(int index) {
        return output("rs", index);
    }

    private String output(String kind, int index) {
        return kind + "_" + ExternalTurnId.hex(id) + "_" + index;
    }

    /**
     * The id of an item of its input.
     *
     * @param type of the item, such as {@code function_call_output}
     */
    public String input(String type, int index) {
        String kind = switch (type) {
            case "message" -> "msg";
            case "function_call" -> "fc";
            case "function_call_output" -> "fco";
            case "reasoning" -> "rs";
            default -> "item";
        };
        return kind + "_" + ExternalTurnId.hex(id) + "_i" + index;
    }
}
