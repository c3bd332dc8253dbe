package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.access.ProjectRole;
import dev.parley.domain.definition.Endpoint;
import dev.parley.domain.document.Checked;
import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.domain.document.NotInDocuments;
import dev.parley.platform.config.secret.Secrets;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP API that tools may name. Omitted fields have their defaults.
 *
 * @param description Description for people.
 * @param url Base URL, such as https://api.example.com/v1; tools cannot leave it.
 * @param methods Methods that tools may use: GET, HEAD, POST, PUT, PATCH and DELETE. Defaults to GET.
 * @param headers Headers added to each request.
 * @param auth Authentication of requests, as for tools of type rest; never the key itself.
 * @param enabled False to disable all tools that name the endpoint.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Endpoint")
public record EndpointJson(
        @Field(required = true, pattern = EndpointJson.NAME, problem = "must be 1 to 64 letters, digits, '_' or '-'")
        String name,

        @Field(length = 1_024) @Nullable String description,

        @Field(required = true, length = Endpoint.MAX_LENGTH)
        String url,

        @Field(entries = 100, length = 16) List<String> methods,
        @Field(length = 4_000) @Nullable Map<String, String> headers,
        @Field(length = 4_096) @Nullable Map<String, Object> auth,

        @Schema(description = "Access rules. Defaults to access for everybody.") @Field @Nullable
        AllowJson allow,

        @Field(fallback = "true") boolean enabled,

        @Schema(description = "Definition level, always host.", accessMode = Schema.AccessMode.READ_ONLY)
        @NotInDocuments
        @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @NotInDocuments @Nullable
        Instant updatedAt)
        implements DefinitionEntry, Checked {
    /** Pattern of the names of endpoints. */
    static final String NAME = "[A-Za-z0-9_-]{1,64}";

    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final int MAX_HEADERS = 16_384;

    public EndpointJson {
        url = url.replaceFirst("/+$", "");
        methods = methods.isEmpty()
                ? List.of("GET")
                : methods.stream()
                        .map(method -> method.toUpperCase(Locale.ROOT))
                        .distinct()
                        .toList();
    }

    /** The version of every endpoint, as endpoints have no versions. */
    public static final String VERSION = "1";

    /**
     * Access rules of an endpoint; administrators of the host always have access.
     *
     * @param roles Roles with access, as held in the project of the turn: viewer, member, admin, owner.
     * @param users Additional users with access, by id or by name; returned by id.
     * @param projects Keys of the projects in which the endpoint may be used. Defaults to all projects.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(
            name = "EndpointAllow",
            description = "Access rules of an endpoint; administrators of the host always have access.")
    public record AllowJson(
            @Field(entries = 100) @Nullable List<String> roles,
            @Field(entries = 100) @Nullable List<String> users,
            @Field(entries = 100) @Nullable List<String> projects)
            implements Checked {
        /** An empty list is refused, as removing the last entry would grant access to all users. */
        @Override
        public List<Fault> faults(Set<String> given) {
            var faults = new ArrayList<Fault>();
            if (given.isEmpty()) {
                faults.add(new Fault("", "is empty: omit it to let all users use the endpoint"));
            }
            var lists = new LinkedHashMap<String, @Nullable List<String>>();
            lists.put("roles", roles);
            lists.put("users", users);
            lists.put("projects", projects);
            lists.forEach((field, list) -> {
                if (list != null && list.isEmpty()) {
                    faults.add(new Fault(field, "is empty: omit it, or disable the endpoint"));
                }
            });
            if (!all(roles).stream()
                    .allMatch(role -> Coded.of(ProjectRole.class, role).isPresent())) {
                faults.add(new Fault("roles", "must be some of viewer, member, admin, owner"));
            }
            return faults;
        }
    }

    @Override
    public List<Fault> faults(Set<String> given) {
        var faults = new ArrayList<Fault>();
        if (!Endpoint.isUrl(url)) {
            faults.add(new Fault(
                    "url",
                    "must be a URL such as https://api.example.com/v1, without user, query, '%', ';', '.' and '..'"));
        }
        if (!METHODS.containsAll(methods)) {
            faults.add(new Fault("methods", "must be some of " + String.join(", ", METHODS)));
        }
        if (headers != null) {
            headers.forEach((header, value) -> {
                if (value.isBlank()) {
                    faults.add(new Fault("headers." + header, Fault.MISSING));
                }
            });
            if (JsonColumns.text(JsonNode.from(headers)).length() > MAX_HEADERS) {
                faults.add(new Fault("headers", "must have at most " + MAX_HEADERS + " characters"));
            }
        }
        if (auth != null
                && !(auth.get("secret") instanceof String secret
                        && Secrets.REFERENCE.matcher(secret).matches())) {
            faults.add(new Fault("auth.secret", Secrets.FORM));
        }
        return faults;
    }

    /** A copy with these access rules. */
    public EndpointJson withAllow(AllowJson rules) {
        return new EndpointJson(name, description, url, methods, headers, auth, rules, enabled, source, updatedAt);
    }

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public String searchText() {
        return description == null ? name : name + ": " + description;
    }

    @Override
    public EndpointJson redacted() {
        return this;
    }

    @Override
    public EndpointJson withServerFields(@Nullable String source, @Nullable Instant updatedAt) {
        return new EndpointJson(name, description, url, methods, headers, auth, allow, enabled, source, updatedAt);
    }

    /** The published definition of a validated endpoint. */
    Endpoint toDefinition() {
        var request = new HashMap<String, Object>();
        if (headers != null) {
            request.put("headers", headers);
        }
        if (auth != null) {
            request.put("auth", auth);
        }
        return new Endpoint(
                name,
                url,
                methods,
                JsonColumns.text(JsonNode.from(request)),
                allow == null ? List.of() : all(allow.roles()),
                allow == null
                        ? List.of()
                        : all(allow.users()).stream().map(Ids::parse).toList(),
                allow == null ? List.of() : all(allow.projects()));
    }

    private static List<String> all(@Nullable List<String> list) {
        return list == null ? List.of() : list;
    }
}
