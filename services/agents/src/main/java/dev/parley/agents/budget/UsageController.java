package dev.parley.agents.budget;

import dev.parley.domain.access.Capability;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;

/** Usage and budgets over HTTP. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Usage", description = "Usage of model calls, and the budgets that limit it.")
class UsageController {
    private final BudgetLedger ledger;
    private final AccessDirectory directory;

    UsageController(BudgetLedger ledger, AccessDirectory directory) {
        this.ledger = ledger;
        this.directory = directory;
    }

    /** Get the host's usage. Usage of all model calls of the host. */
    @Get("/usage")
    @RequiresCapability(Capability.SETTING_MANAGE)
    UsageJson host(Caller caller) {
        return usage(caller, BudgetScope.HOST, caller.host());
    }

    /** Get a project's usage. Usage of the model calls of the project's sessions. */
    @Get("/projects/{project}/usage")
    @RequiresCapability(Capability.OPS_READ)
    UsageJson project(@PathVariable String project, Caller caller) {
        return usage(
                caller,
                BudgetScope.PROJECT,
                caller.require(Capability.OPS_READ, project).project());
    }

    /** Get a user's usage. Usage of the model calls that answer the user. */
    @Get("/users/{id}/usage")
    @RequiresCapability(Capability.USER_READ)
    UsageJson user(@PathVariable UUID id, Caller caller) {
        if (directory.account(caller.host(), id).isEmpty()) {
            throw ApiException.notFound("unknown_user", "There is no user " + id);
        }
        return usage(caller, BudgetScope.USER, id);
    }

    /** Get the caller's usage. Usage of the model calls that answer the caller. */
    @Get("/me/usage")
    @Authenticated
    UsageJson own(Caller caller) {
        return usage(caller, BudgetScope.USER, caller.person().user());
    }

    private UsageJson usage(Caller caller, BudgetScope scope, UUID id) {
        BudgetShare share = BudgetShare.of(directory, caller.host(), scope, id);
        return UsageJson.of(share, ledger.readUsage(caller.host(), scope, id), ledger.today());
    }
}
