package dev.parley.control.settings;

import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.settings.HostSettings.SettingJson;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfHost;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes of the settings of the caller's host, for its administrators. */
@Controller("/v1/settings")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Settings", description = "Settings of the host, for administrators.")
class SettingController {
    private final HostSettings settings;

    SettingController(HostSettings settings) {
        this.settings = settings;
    }

    /** Settings that are set, and settings that Parley reads. */
    @Serdeable
    @Schema(name = "SettingList")
    record SettingsJson(List<SettingJson> data, List<KnownJson> known) {}

    /** A setting that Parley reads, set or not. */
    @Serdeable
    @Schema(name = "KnownSetting")
    record KnownJson(
            String name,
            String description,

            @Schema(description = "JSON Schema of the setting's values.", type = "object")
            JsonNode schema) {
        static KnownJson of(HostSetting setting) {
            return new KnownJson(setting.code(), setting.description(), JsonColumns.tree(setting.schema()));
        }
    }

    /**
     * List settings. All settings that are set, under any name, and the settings that Parley reads.
     *
     * @param includeInactive True to include cleared settings.
     */
    @Get
    @RequiresCapability(Capability.SETTING_MANAGE)
    SettingsJson list(@Nullable @QueryValue Boolean includeInactive, Caller caller) {
        return new SettingsJson(
                settings.list(caller, Boolean.TRUE.equals(includeInactive)),
                Arrays.stream(HostSetting.values()).map(KnownJson::of).toList());
    }

    /**
     * Get a setting. The response has an ETag.
     *
     * @return The setting.
     */
    @Get("/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    HttpResponse<SettingJson> show(@PathVariable String name, Caller caller) {
        SettingNames.check(name);
        return okWithETag(settings.find(caller, name)
                .orElseThrow(() -> ApiException.notFound("unknown_setting", "The setting '" + name + "' is not set")));
    }

    static HttpResponse<SettingJson> okWithETag(SettingJson setting) {
        return HttpResponse.ok(setting).header("ETag", IfMatch.tag(setting.version()));
    }

    /**
     * Set a setting. The body is the value. A setting that Parley reads takes effect from the next turn and must match
     * its schema; any other name stores any JSON of at most 16 KiB for those who manage the host. A name that closely
     * resembles a known one is refused.
     *
     * @return The setting.
     */
    @Put("/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    HttpResponse<SettingJson> set(
            @PathVariable String name,
            @Body JsonNode value,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        SettingNames.check(name);
        SettingNames.rejectMisspelled(name, HostSetting.codes());
        requireAllowed(name, caller);
        HostSetting.of(name).flatMap(setting -> setting.fault(value)).ifPresent(fault -> {
            throw Checks.invalid(name, fault);
        });
        return okWithETag(settings.set(caller, null, name, value, ifMatch));
    }

    /** Open registration lets people in: a key that manages settings alone cannot add them either. */
    private static void requireAllowed(String name, Caller caller) {
        if (name.equals(HostSetting.REGISTRATION.code())) {
            caller.requireChange(new OfHost());
        }
    }

    /** Delete a setting. The value that applies without the setting takes effect again. */
    @Delete("/{name}")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @ApiResponse(responseCode = "204", description = "The setting was cleared.")
    HttpResponse<Void> clear(@PathVariable String name, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        SettingNames.check(name);
        requireAllowed(name, caller);
        settings.clear(caller, null, name, ifMatch);
        return HttpResponse.noContent();
    }
}
