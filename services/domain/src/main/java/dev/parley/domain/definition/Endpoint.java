package dev.parley.domain.definition;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * An HTTP API that the administrators of a host open: where it is, how it is asked, and who may use it. Tools name it, and a path
 * below its URL. Where neither roles nor people nor projects are named, everybody may whose turn it is.
 *
 * @param url {@code https://api.example.com/v1}, without query and without a slash at its end
 * @param methods that tools may use, in capital letters
 * @param request what every request has, a JSON object with {@code headers} and {@code auth} as tools of the type rest have them; no
 *     secrets
 * @param roles codes of the roles whose people may use it in their project; one that is not known is nobody's
 * @param users people who may use it besides
 * @param projects keys of the projects in which it may be used; empty for all of the host
 */
public record Endpoint(
        String name,
        String url,
        List<String> methods,
        String request,
        List<String> roles,
        List<UUID> users,
        List<String> projects)
        implements Definition {
    /** Most characters of a URL, and of a path. */
    public static final int LONGEST = 1_024;

    /** No percent signs and no semicolons: servers take them for dots and slashes, or leave them out, each in its own way. */
    private static final String CHARACTERS = "[A-Za-z0-9._~:@!$&'()*+,=-]*+";

    private static final String NO_DOTS = "/(?!\\.{1,2}(?:[/?]|$))";

    private static final Pattern URL =
            Pattern.compile("https?://(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?(?:" + NO_DOTS + "(?!/|$)"
                    + CHARACTERS + ")*+");

    private static final Pattern PATH = Pattern.compile("(?:" + NO_DOTS + CHARACTERS + "(?:\\{\\w{1,100}}" + CHARACTERS
            + ")*+)++(?:\\?[A-Za-z0-9._~:@!$&'()*+,;=%/?-]*)?");

    public Endpoint {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(request, "request");
        methods = List.copyOf(methods);
        roles = List.copyOf(roles);
        users = List.copyOf(users);
        projects = List.copyOf(projects);
    }

    /** Whether an endpoint may be there. */
    public static boolean isUrl(String text) {
        return text.length() <= LONGEST && URL.matcher(text).matches();
    }

    /** Whether this is a path below an endpoint, {@code /users/{id}}, with placeholders and a query if need be. */
    public static boolean isPath(String text) {
        return text.length() <= LONGEST && PATH.matcher(text).matches();
    }
}
