package dev.parley.control.hosts;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.control.people.BootstrapAdmin;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfHost;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Routes of hosts, for administrators of the default host. */
@Controller("/v1/hosts")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Hosts", description = "Tenants of this installation, for administrators of its own host.")
class HostController {
    private static final Pattern KEY = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

    private final Hosts hosts;
    private final BootstrapAdmin bootstrap;

    HostController(Hosts hosts, BootstrapAdmin bootstrap) {
        this.hosts = hosts;
        this.bootstrap = bootstrap;
    }

    /**
     * A new host and its first administrator.
     *
     * @param key Key of the host: lower-case letters, digits and hyphens.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewHost")
    record NewJson(
            @Nullable String key,
            @Nullable String name,
            @Nullable AdministratorJson administrator) {}

    /** First administrator of a host. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewAdministrator")
    record AdministratorJson(
            @Nullable String username,
            @Nullable String email,
            @Nullable String password) {}

    /**
     * Changes of a host.
     *
     * @param active False to block all actions of the host's users.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "HostChange")
    record ChangeJson(@Nullable String name, @Nullable Boolean active) {}

    /** All hosts. */
    @Serdeable
    @Schema(name = "Hosts")
    record ListJson(List<HostJson> data) {}

    /**
     * List hosts. Hosts, by key.
     *
     * @return All hosts.
     */
    @Get
    @RequiresCapability(Capability.HOST_MANAGE)
    ListJson list(Caller caller) {
        caller.requireOperator();
        return new ListJson(hosts.list());
    }

    /** Create a host. Creates a default project too, and an administrator who signs in with this name and password. */
    @Post
    @RequiresCapability(Capability.HOST_MANAGE)
    @ApiResponse(responseCode = "201", description = "The host was created.")
    HttpResponse<HostJson> make(@Body NewJson body, Caller caller) {
        caller.requireOperator();
        String key = Checks.requireText("key", body.key(), 64);
        if (!KEY.matcher(key).matches()) {
            throw Checks.invalid(
                    "key", "must have only lower-case letters, digits and hyphens, and not begin with a hyphen");
        }
        String name = Checks.requireName("name", body.name(), 126);
        caller.requireChange(new OfHost()); // it makes an administrator
        AdministratorJson first = body.administrator();
        if (first == null) {
            throw ApiException.badRequest("missing_field", "The field 'administrator' is missing");
        }
        var administrator = bootstrap.check(first.username(), first.email(), first.password());
        HostJson created = hosts.create(key, name, caller.user());
        try {
            bootstrap.add(created.id(), administrator, caller.user());
        } catch (ApiException e) {
            hosts.deleteNew(created.id());
            throw e;
        }
        return HttpResponse.created(created).header("ETag", IfMatch.tag(created.version()));
    }

    /**
     * Get a host. The response has an ETag.
     *
     * @return The host.
     */
    @Get("/{key}")
    @RequiresCapability(Capability.HOST_MANAGE)
    HttpResponse<HostJson> show(@PathVariable String key, Caller caller) {
        caller.requireOperator();
        return okWithETag(hosts.find(key));
    }

    private static HttpResponse<HostJson> okWithETag(HostJson host) {
        return HttpResponse.ok(host).header("ETag", IfMatch.tag(host.version()));
    }

    /**
     * Update a host. Requires If-Match with the ETag that was read.
     *
     * @return The host.
     */
    @Patch("/{key}")
    @RequiresCapability(Capability.HOST_MANAGE)
    HttpResponse<HostJson> change(
            @PathVariable String key,
            @Body ChangeJson body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        caller.requireOperator();
        String name = body.name() == null ? null : Checks.requireName("name", body.name(), 126);
        return okWithETag(hosts.change(key, name, body.active(), ifMatch, caller.user()));
    }
}
