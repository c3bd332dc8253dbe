package dev.parley.control.catalogue;

import dev.parley.control.definitions.EndpointJson;
import dev.parley.control.definitions.EndpointJson.AllowJson;
import dev.parley.control.http.Checks;
import dev.parley.domain.Coded;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.definition.Endpoint;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.config.Secrets;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates endpoints and fills in defaults; each error names its field. */
@Singleton
@Requires(beans = Catalogue.class)
final class EndpointReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final int MAX_AUTH = 4_096;
    private static final int MAX_HEADER = 4_000;
    private static final int MAX_HEADERS = 16_384;

    private final AccessFollower directory;

    EndpointReader(AccessFollower directory) {
        this.directory = directory;
    }

    /**
     * The validated endpoint.
     *
     * @param name the name in the path, or null where the body has it
     */
    EndpointJson read(UUID host, @Nullable String name, EndpointJson body) {
        String called = Checks.name(name, body.name());
        if (!NAME.matcher(called).matches()) {
            throw Checks.invalid("name", "must be 1 to 64 letters, digits, '_' or '-'");
        }
        return new EndpointJson(
                called,
                Checks.optional("description", body.description(), 1_024),
                url(body.url()),
                methods(body.methods()),
                headers(body.headers()),
                auth(body.auth()),
                body.allow() == null ? null : allow(host, body.allow()),
                !Boolean.FALSE.equals(body.enabled()),
                null,
                null);
    }

    private static String url(@Nullable String text) {
        String url = Checks.requireText("url", text, Endpoint.MAX_LENGTH).replaceFirst("/+$", "");
        if (!Endpoint.isUrl(url)) {
            throw Checks.invalid(
                    "url",
                    "must be a URL such as https://api.example.com/v1, without user, query, '%', ';', '.' and '..'");
        }
        return url;
    }

    private static List<String> methods(@Nullable List<String> names) {
        List<String> methods = CatalogueReader.each("methods", names, EndpointReader::method);
        return methods.isEmpty() ? List.of("GET") : methods.stream().distinct().toList();
    }

    private static String method(String text) {
        String method = text.toUpperCase(Locale.ROOT);
        if (!METHODS.contains(method)) {
            throw Checks.invalid("methods", "must be some of " + String.join(", ", METHODS));
        }
        return method;
    }

    private static @Nullable Map<String, String> headers(@Nullable Map<String, String> headers) {
        if (headers != null) {
            headers.forEach((name, value) -> Checks.requireText("headers." + name, value, MAX_HEADER));
            CatalogueReader.toBoundedText("headers", new HashMap<>(headers), MAX_HEADERS);
        }
        return headers;
    }

    private static @Nullable Map<String, Object> auth(@Nullable Map<String, Object> auth) {
        if (auth != null) {
            CatalogueReader.toBoundedText("auth", auth, MAX_AUTH);
            if (!(auth.get("secret") instanceof String secret)
                    || !Secrets.REFERENCE.matcher(secret).matches()) {
                throw Checks.invalid("auth.secret", Secrets.FORM);
            }
        }
        return auth;
    }

    private AllowJson allow(UUID host, AllowJson allow) {
        if (allow.roles() == null && allow.users() == null && allow.projects() == null) {
            throw Checks.invalid("allow", "is empty: omit it to let all users use the endpoint");
        }
        return new AllowJson(
                readNames("allow.roles", allow.roles(), EndpointReader::role),
                readNames("allow.users", allow.users(), user -> user(host, user)),
                readNames("allow.projects", allow.projects(), project -> project(host, project)));
    }

    /** An empty list is rejected, as removing the last entry would grant access to all users. */
    private static @Nullable List<String> readNames(
            String field, @Nullable List<String> names, UnaryOperator<String> read) {
        if (names != null && names.isEmpty()) {
            throw Checks.invalid(field, "is empty: omit it, or disable the endpoint");
        }
        return names == null ? null : CatalogueReader.each(field, names, read);
    }

    private static String role(String code) {
        return Coded.of(ProjectRole.class, code)
                .map(ProjectRole::code)
                .orElseThrow(() -> Checks.invalid("allow.roles", "must be some of viewer, member, admin, owner"));
    }

    /** Resolves a user to the id, as names can be reassigned. */
    private String user(UUID host, String idOrName) {
        return directory
                .accounts(host)
                .filter(account -> account.user().toString().equals(idOrName) || isNamed(account, idOrName))
                .map(account -> account.user().toString())
                .findFirst()
                .orElseThrow(() -> Checks.invalid("allow.users", "names no user of this host: '" + idOrName + "'"));
    }

    private static boolean isNamed(Account account, String name) {
        return account.erasure() == null && account.name().equalsIgnoreCase(name);
    }

    private String project(UUID host, String key) {
        return directory
                .project(key)
                .filter(project -> project.host().equals(host))
                .orElseThrow(() -> Checks.invalid("allow.projects", "names no project of this host: '" + key + "'"))
                .projectKey();
    }

    /**
     * Checks how a tool uses an endpoint.
     *
     * @throws dev.parley.platform.http.ApiException 400 naming the invalid field
     */
    static void use(Map<String, Object> implementation) {
        for (String field : List.of("url", "auth", "headers")) {
            if (implementation.get(field) != null) {
                throw Checks.invalid(
                        "implementation." + field, "is set by the endpoint; a tool with an endpoint sets only path");
            }
        }
        if (!(implementation.get("endpoint") instanceof String name)
                || !NAME.matcher(name).matches()) {
            throw Checks.invalid("implementation.endpoint", "must be the name of an endpoint of the host");
        }
        if (!(implementation.get("path") instanceof String path) || !Endpoint.isPath(path)) {
            throw Checks.invalid(
                    "implementation.path",
                    "must be a path below the endpoint, such as /users/{id}, without '%', ';', '.' and '..'");
        }
    }
}
