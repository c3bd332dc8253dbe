package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.memory.BankQuota;
import dev.parley.domain.memory.MemoryCommand.Branch;
import dev.parley.domain.memory.MemoryCommand.DropGeneration;
import dev.parley.domain.memory.MemoryCommand.LimitBank;
import dev.parley.domain.memory.MemoryCommand.Reembed;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Page;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Maintenance of banks: re-embedding, branches, budgets. */
@Controller("/v1/banks/{bank}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class MaintenanceController {
    private final BankService service;
    private final MemoryUnitRows units;

    MaintenanceController(BankService service, MemoryUnitRows units) {
        this.service = service;
        this.units = units;
    }

    /**
     * The embedding model whose vectors a bank searches.
     *
     * @param generation Name of the embedding model.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Generation")
    record GenerationJson(@Nullable String generation) {}

    /**
     * Switch to the embeddings of another model. The bank answers as before in the meantime; otherUnits shows the
     * progress. The previous vectors are kept, so requesting their model again switches back at once.
     */
    @Put("/generation")
    @Authenticated
    @Audited(source = "bank", action = "reembed")
    @Operation(operationId = "reembedBank")
    @ApiResponse(responseCode = "202", description = "The switch has begun, or is complete if the vectors existed.")
    HttpResponse<BankJson> reembed(@PathVariable UUID bank, @Body GenerationJson body, Caller caller) {
        String generation = body.generation();
        if (generation == null || generation.isBlank()) {
            throw ApiException.badRequest("missing_field", "The field 'generation' is missing: a model's name");
        }
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new Reembed(meta, found.ref(), generation));
        return HttpResponse.accepted().body(bankJson(found));
    }

    private BankJson bankJson(Bank bank) {
        return BankJson.of(service.eventually(() -> service.find(bank.host(), bank.id()), "bank"), null);
    }

    /**
     * Delete the embeddings that are not searched. Deletes the vectors that are kept in addition or being computed.
     */
    @Delete("/generation")
    @Authenticated
    @Audited(source = "bank", action = "drop-generation")
    @Operation(operationId = "dropGeneration")
    @ApiResponse(responseCode = "204", description = "The vectors were deleted.")
    HttpResponse<Void> drop(@PathVariable UUID bank, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new DropGeneration(meta, found.ref()));
        return HttpResponse.noContent();
    }

    /**
     * Limits of what a bank may hold and spend. Missing fields get their defaults.
     *
     * @param units Maximum number of units that the bank knows. Defaults to 1,000,000.
     * @param bytes Maximum size of its documents in bytes. Defaults to 1 GiB.
     * @param modelCalls Maximum number of model calls per day. Defaults to 5,000.
     * @param modelTokens Maximum number of model tokens per day. Defaults to 10,000,000.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "BankBudget")
    record BudgetJson(
            @Nullable Long units,
            @Nullable Long bytes,
            @Nullable Integer modelCalls,
            @Nullable Long modelTokens) {
        BankQuota quota() {
            BankQuota usual = BankQuota.DEFAULT;
            return new BankQuota(
                    Objects.requireNonNullElse(units, usual.units()),
                    Objects.requireNonNullElse(bytes, usual.bytes()),
                    Objects.requireNonNullElse(modelCalls, usual.modelCalls()),
                    Objects.requireNonNullElse(modelTokens, usual.modelTokens()));
        }
    }

    /** Set a bank's quota. Only for administrators, for banks that they can see. */
    @Put("/budget")
    @Authenticated
    @Audited(source = "bank", action = "limit")
    @Operation(operationId = "limitBank")
    @ApiResponse(responseCode = "204", description = "The limits apply from now on.")
    HttpResponse<Void> limit(@PathVariable UUID bank, @Body BudgetJson body, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.LEAD);
        // The operator pays, so users cannot raise the budget of their own banks.
        if (!caller.person().admin()) {
            throw new ApiException(
                    HttpStatus.FORBIDDEN, "forbidden", "Only administrators can set the budget of a bank");
        }
        service.send(caller, meta -> new LimitBank(meta, found.ref(), body.quota()));
        return HttpResponse.noContent();
    }

    /**
     * The branch to create.
     *
     * @param name Name of the branch: 1 to 60 lower-case letters, digits and hyphens. A name cannot be reused.
     * @param at The branch contains what the bank knew at this time. Defaults to now.
     * @param seq The branch contains what the bank knew at the event with this number; instead of at.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "MakeBranch")
    record BranchJson(
            @Nullable String name,
            @Nullable Instant at,
            @Nullable Long seq) {}

    /**
     * A branch that is being created.
     *
     * @param id Id of the branch's bank.
     */
    @Serdeable
    @Schema(name = "MadeBranch")
    record MadeJson(UUID id) {}

    /**
     * Branch a bank. Creates a bank with what this one knew at a time. Erasing something here also erases it there.
     */
    @Post("/branches")
    @Authenticated
    @Audited(source = "bank", action = "branch")
    @Operation(operationId = "branchBank")
    @ApiResponse(
            responseCode = "202",
            description = "The id of the branch, which will exist shortly and is filled in the background.")
    HttpResponse<MadeJson> branch(@PathVariable UUID bank, @Body BranchJson body, Caller caller) {
        String name = body.name();
        if (name == null) {
            throw ApiException.badRequest("missing_field", "The field 'name' is missing: the branch's name");
        }
        if (body.at() != null && body.seq() != null) {
            throw ApiException.badRequest("invalid_field", "A branch takes either 'at' or 'seq', not both");
        }
        Bank found = service.bank(caller, bank, Doing.LEAD);
        service.send(caller, meta -> new Branch(meta, found.ref(), name, body.at(), body.seq()));
        return HttpResponse.accepted()
                .body(new MadeJson(found.ref().branch(name).id()));
    }

    /**
     * A unit that only one of the two banks holds to be true, or that differs between them.
     *
     * @param difference Kind of the difference: only_bank, only_branch or changed.
     */
    @Serdeable
    @Schema(name = "BranchDifference")
    record DifferenceJson(
            UUID unit,
            String difference,
            @Nullable String bankText,
            @Nullable String branchText) {}

    /**
     * Compare a branch with its bank. Called on the branch. Differences are ordered by the units' ids.
     *
     * @return A page of differences.
     */
    @Get("/differences")
    @Authenticated
    @Operation(operationId = "listBranchDifferences")
    Page<DifferenceJson> differences(
            @PathVariable UUID bank,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        Bank branch = service.bank(caller, bank, Doing.READ);
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        UUID last = after == null ? new UUID(0, 0) : after.id();
        List<DifferenceJson> differences =
                service.read(branch, () -> units.findDifferences(branch.host(), branch.id(), last, pageSize + 1));
        return Page.of(differences, pageSize, row -> row, row -> Cursor.of("", row.unit()));
    }
}
