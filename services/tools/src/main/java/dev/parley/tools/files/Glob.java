package dev.parley.tools.files;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A pattern of paths: {@code *} matches within a name, {@code **} across folders, {@code ?} one character of a name,
 * <code>{a,b}</code> alternatives. A pattern without a slash matches names in any folder. Matching takes linear time.
 */
public final class Glob {
    private static final int MAX_LENGTH = 1_024;
    private static final String SPECIAL = "\\.[]{}()*+-?^$|";

    private final Pattern pattern;

    /**
     * @param folder the base folder of the pattern
     * @throws WorkspaceException when the pattern is invalid
     */
    public Glob(FilePath folder, String glob) {
        if (glob.isBlank() || glob.length() > MAX_LENGTH) {
            throw invalid("has 1 to " + MAX_LENGTH + " characters, such as **/*.md");
        }
        String relative = glob.startsWith("/") ? glob.substring(1) : glob;
        String regex = quote(folder.prefix()) + (glob.contains("/") ? "" : "(?:.*/)?") + regex(relative);
        try {
            pattern = Pattern.compile(regex, Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw invalid("has braces that are not closed, or not opened");
        }
    }

    private static WorkspaceException invalid(String problem) {
        return new WorkspaceException(WorkspaceException.Kind.INVALID, "the pattern " + problem);
    }

    private static String quote(String text) {
        var result = new StringBuilder();
        text.chars().forEach(c -> result.append(quote((char) c)));
        return result.toString();
    }

    private static String quote(char c) {
        return SPECIAL.indexOf(c) >= 0 ? "\\" + c : String.valueOf(c);
    }

    private static String regex(String glob) {
        var regex = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (glob.startsWith("**/", i)) {
                regex.append("(?:.*/)?");
                i += 2;
            } else if (glob.startsWith("**", i)) {
                regex.append(".*");
                i++;
            } else {
                regex.append(translate(c, depth));
            }
        }
        return regex.toString();
    }

    private static String translate(char c, int depth) {
        return switch (c) {
            case '*' -> "[^/]*";
            case '?' -> "[^/]";
            case '{' -> "(?:";
            case '}' -> ")";
            case ',' -> depth > 0 ? "|" : ",";
            default -> quote(c);
        };
    }

    /** Whether the path matches. */
    public boolean matches(String path) {
        return pattern.matches(path);
    }
}
