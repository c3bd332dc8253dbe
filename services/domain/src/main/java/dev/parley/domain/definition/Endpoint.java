package dev.parley.domain.definition;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * An HTTP API that host administrators make available to tools. A tool names the endpoint and a path below its URL. If
 * no roles, users or projects are given, every user's turn may use it.
 *
 * @param url such as {@code https://api.example.com/v1}, without query and trailing slash
 * @param methods HTTP methods that tools may use, upper case
 * @param request part of every request: a JSON object with {@code headers} and {@code auth} as in tools of the type
 *     {@code rest}; no secrets
 * @param roles codes of the project roles whose members may use the endpoint; unknown codes match no user
 * @param users users who may also use the endpoint
 * @param projects keys of the projects in which it may be used; empty for all projects of the host
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
    /** Maximum characters of a URL, and of a path. */
    public static final int MAX_LENGTH = 1_024;

    /**
     * No percent signs and no semicolons: servers differ in decoding or dropping them, so they could smuggle dots and
     * slashes.
     */
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

    /** Whether this is a valid endpoint URL. */
    public static boolean isUrl(String text) {
        return text.length() <= MAX_LENGTH && URL.matcher(text).matches();
    }

    /**
     * Whether this is a valid path below an endpoint, such as {@code /users/{id}}, optionally with placeholders and a
     * query.
     */
    public static boolean isPath(String text) {
        return text.length() <= MAX_LENGTH && PATH.matcher(text).matches();
    }
}
