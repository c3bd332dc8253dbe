package dev.parley.channels.slack;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Readable text of Slack's messages, in which mentions and links are in angle brackets and three characters are
 * escaped.
 *
 * @see <a href="https://docs.slack.dev/messaging/formatting-message-text">formatting</a>
 */
final class SlackText {
    private static final Pattern REFERENCE = Pattern.compile("<([@#!]?)([^<>|\\n]{1,2048})(?:\\|([^<>\\n]{0,2048}))?>");

    private static final Pattern NOTIFYING =
            Pattern.compile("<(?=[@#][A-Za-z0-9]|!(?:channel|here|everyone|subteam|date)\\b)");

    private SlackText() {}

    static String toPlainText(String text) {
        return unescape(REFERENCE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(read(found))));
    }

    private static String read(MatchResult found) {
        String target = found.group(2);
        String label = found.group(3) == null ? "" : found.group(3);
        return switch (found.group(1)) {
            case "@" -> "@" + (label.isEmpty() ? target : label);
            case "#" -> "#" + (label.isEmpty() ? target : label);
            case "!" -> special(target, label);
            default -> link(target, label);
        };
    }

    /** The readable form of {@code here}, {@code subteam^S1}, {@code date^…}. */
    private static String special(String target, String label) {
        if (!label.isEmpty()) {
            return label;
        }
        int border = target.indexOf('^');
        return "@" + (border < 0 ? target : target.substring(border + 1));
    }

    private static String link(String address, String label) {
        String displayed = address.replaceFirst("^(?:mailto|tel):", "");
        return label.isEmpty() || label.equals(displayed) || address.endsWith("://" + label)
                ? displayed
                : label + " (" + address + ")";
    }

    /**
     * A Markdown text in which nothing notifies people: Slack reads its own references, such as {@code <!channel>}, in
     * Markdown as well.
     */
    static String quiet(String markdown) {
        return NOTIFYING.matcher(markdown).replaceAll("<\u200B");
    }

    /** A text in which nothing is a mention or a link. */
    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String unescape(String text) {
        return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }
}
