package dev.parley.control.settings;

import dev.parley.control.settings.HostSettings.SettingJson;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfLimit;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the budgets of projects and people; the host's budget is an ordinary setting. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Budgets", description = "Spending limits of projects and users.")
class BudgetController {
    private static final String OF_PROJECT = "/projects/{project}/settings/budget";
    private static final String OF_USER = "/users/{id}/settings/budget";

    private final HostSettings settings;
    private final AccessDirectory directory;

    BudgetController(HostSettings settings, AccessDirectory directory) {
        this.settings = settings;
        this.directory = directory;
    }

    /**
     * Get a project's budget. The response has an ETag.
     *
     * @return The budget.
     */
    @Get(OF_PROJECT)
    @RequiresCapability(Capability.OPS_READ)
    HttpResponse<SettingJson> show(@PathVariable String project, Caller caller) {
        UUID id = caller.require(Capability.OPS_READ, project).project();
        return show(caller, BudgetScope.PROJECT.setting(id));
    }

    /**
     * Set a project's budget. The body is {amount, tokens, period, turnsPerMinute}; never more than the host's budget.
     *
     * @return The budget; it takes effect from the next call.
     */
    @Put(OF_PROJECT)
    @RequiresCapability(Capability.PROJECT_UPDATE)
    HttpResponse<SettingJson> set(
            @PathVariable String project,
            @Body JsonNode value,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        UUID id = caller.require(Capability.PROJECT_UPDATE, project).project();
        requireOwn(caller, BudgetScope.PROJECT.setting(id));
        BudgetValidation.withinHosts(BudgetValidation.parse(value), directory, caller.host());
        return SettingController.okWithETag(settings.set(caller, id, BudgetScope.PROJECT.setting(id), value, ifMatch));
    }

    /** Delete a project's budget. The host's budget still applies. */
    @Delete(OF_PROJECT)
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @ApiResponse(responseCode = "204", description = "The budget was cleared.")
    HttpResponse<Void> clear(
            @PathVariable String project, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        UUID id = caller.require(Capability.PROJECT_UPDATE, project).project();
        requireOwn(caller, BudgetScope.PROJECT.setting(id));
        settings.clear(caller, id, BudgetScope.PROJECT.setting(id), ifMatch);
        return HttpResponse.noContent();
    }

    /** A budget that an administrator set limits those who lead the project, so they cannot lift it. */
    private void requireOwn(Caller caller, String name) {
        boolean limit = settings.setter(caller, name)
                .flatMap(user -> directory.account(caller.host(), user))
                .filter(Account::admin)
                .isPresent();
        if (limit) {
            caller.requireChange(new OfLimit());
        }
    }

    /**
     * Get a user's budget. The response has an ETag.
     *
     * @return The budget.
     */
    @Get(OF_USER)
    @RequiresCapability(Capability.SETTING_MANAGE)
    HttpResponse<SettingJson> show(@PathVariable UUID id, Caller caller) {
        return show(caller, ofUser(caller, id));
    }

    private String ofUser(Caller caller, UUID user) {
        if (directory.account(caller.host(), user).isEmpty()) {
            throw ApiException.notFound("unknown_user", "There is no user " + user);
        }
        return BudgetScope.USER.setting(user);
    }

    private HttpResponse<SettingJson> show(Caller caller, String name) {
        return SettingController.okWithETag(settings.find(caller, name)
                .orElseThrow(() -> ApiException.notFound("unknown_setting", "No budget is set")));
    }

    /**
     * Set a user's budget. The body is {amount, tokens, period, turnsPerMinute}.
     *
     * @return The budget; it takes effect from the next call.
     */
    @Put(OF_USER)
    @RequiresCapability(Capability.SETTING_MANAGE)
    HttpResponse<SettingJson> set(
            @PathVariable UUID id, @Body JsonNode value, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        String name = ofUser(caller, id);
        BudgetValidation.parse(value);
        return SettingController.okWithETag(settings.set(caller, null, name, value, ifMatch));
    }

    /** Delete a user's budget. The budgets of the host and the project still apply. */
    @Delete(OF_USER)
    @RequiresCapability(Capability.SETTING_MANAGE)
    @ApiResponse(responseCode = "204", description = "The budget was cleared.")
    HttpResponse<Void> clear(@PathVariable UUID id, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        settings.clear(caller, null, ofUser(caller, id), ifMatch);
        return HttpResponse.noContent();
    }
}
