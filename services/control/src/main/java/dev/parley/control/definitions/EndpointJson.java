package dev.parley.control.definitions;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.control.http.JsonColumns;
import dev.parley.domain.Ids;
import dev.parley.domain.definition.Endpoint;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
@JsonIgnoreProperties(ignoreUnknown = false)
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Endpoint")
public record EndpointJson(
        @Nullable String name,
        @Nullable String description,
        @Nullable String url,
        @Nullable List<String> methods,
        @Nullable Map<String, String> headers,
        @Nullable Map<String, Object> auth,

        @Schema(description = "Access rules. Defaults to access for everybody.") @Nullable
        AllowJson allow,

        @Nullable Boolean enabled,

        @Schema(description = "Definition level, always host.", accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        String source,

        @Schema(accessMode = Schema.AccessMode.READ_ONLY) @Nullable
        Instant updatedAt)
        implements DefinitionEntry {
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
    @JsonIgnoreProperties(ignoreUnknown = false)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(
            name = "EndpointAllow",
            description = "Access rules of an endpoint; administrators of the host always have access.")
    public record AllowJson(
            @Nullable List<String> roles,
            @Nullable List<String> users,
            @Nullable List<String> projects) {}

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public String searchText() {
        return description == null ? String.valueOf(name) : name + ": " + description;
    }

    @Override
    public EndpointJson redacted() {
        return new EndpointJson(name, description, null, null, null, null, null, enabled, source, updatedAt);
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
                Objects.requireNonNull(name),
                Objects.requireNonNull(url),
                Objects.requireNonNull(methods),
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
