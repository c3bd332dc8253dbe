package dev.parley.channels.chat.markup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Links, and texts that platforms turn into links. The rules are Telegram's, and approximate those of others. */
final class Addresses {
    private static final int MOST = 2048;

    /**
     * Telegram drops links whose host has no dot, and treats mailto and tel as hosts; tg would name people and chats.
     */
    private static final Pattern LINK = Pattern.compile(
            "(?i)https?://(?:[\\p{L}\\p{N}_-]{1,63}\\.){1,20}[\\p{L}\\p{N}-]{1,63}(?::\\d{1,5})?(?:[/?#][^\\p{Z}\\p{Cntrl}]*)?");

    private static final Pattern CONTACT = Pattern.compile("(?i)(?:mailto|tel):([^?]*).*", Pattern.DOTALL);

    /** File extensions that are also top-level domains: Telegram would turn the file names into links. */
    private static final Pattern FILE_ENDING = Pattern.compile(
            "\\.(?:md|MD|rs|py|sh|pl|go|cc|mm|ml|ps|so|tf|zip|mov)(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])");

    private static final Pattern FILE =
            Pattern.compile("(?:\\.{0,2}/)?(?:[\\p{L}\\p{N}_-]{1,64}/){0,12}[\\p{L}\\p{N}_-][\\p{L}\\p{N}_.-]{0,99}");

    /** Entities that Telegram may detect in a text: links, mail, mentions, tags, commands, numbers. Overestimates. */
    static final Pattern DETECTED = Pattern.compile("(?=[.:@#$/\\d])(?:"
            + "(?:(?<=[\\p{L}\\p{N}_-])\\.\\p{L}{2}|://)[^\\s,;]{0,2048}"
            + "|(?<![\\p{L}\\p{N}_/.])[@#$/][\\p{L}\\p{N}_]"
            + "|\\d[\\d ()-]{5,30}\\d"
            + "|\\d\\.\\d{1,3}\\.\\d{1,3}\\.\\d)");

    private Addresses() {}

    /** Whether Telegram links to this address. */
    static boolean isLink(String address) {
        return address.length() <= MOST && LINK.matcher(address).matches();
    }

    /** File names in a text that Telegram would take for domains. */
    static List<Range> files(String text) {
        var files = new ArrayList<Range>();
        Matcher matcher = FILE_ENDING.matcher(text);
        int from = 0;
        while (matcher.find()) {
            int start = matcher.start();
            while (start > from && isName(text.charAt(start - 1))) {
                start--;
            }
            boolean free = start == 0 || "@:".indexOf(text.charAt(start - 1)) < 0;
            if (free && FILE.matcher(text).region(start, matcher.start()).matches()) {
                files.add(new Range(start, matcher.end()));
            }
            from = matcher.end();
        }
        return files;
    }

    private static boolean isName(char unit) {
        return unit == '/' || unit == '.' || unit == '_' || unit == '-' || Character.isLetterOrDigit(unit);
    }

    /** A range of a text. */
    record Range(int start, int end) {}

    /** An address for readers; empty where it has no meaning for them. */
    static String displayText(String address) {
        var contact = CONTACT.matcher(address);
        if (contact.matches()) {
            return contact.group(1);
        }
        return address.toLowerCase(Locale.ROOT).startsWith("data:") ? "" : address;
    }
}
