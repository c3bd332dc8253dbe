package dev.parley.memory.api;

import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.access.Capability;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.BankScope;
import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.MemoryCommand.ChangeBank;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.memory.api.BankJson.CountsJson;
import dev.parley.memory.api.BankJson.OpenJson;
import dev.parley.memory.api.BankJson.ProfileJson;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.AgentCheck;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Erasing;
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
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Memory banks and their profiles. */
@Controller("/v1/banks")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks", description = "Long-term memory of users, agents and the host.")
class BankController {
    /** Maximum number of banks of one user, or of the agents of a project. */
    private static final int MAX_BANKS = 1_000;

    /** Maximum number of rows read for one page; other users' banks are skipped. */
    private static final int MAX_ROWS = 500;

    /** SQL state of a statement that takes too long. */
    private static final String CANCELLED = "57014";

    private static final Pattern AGENT = Pattern.compile("[A-Za-z0-9_.-]{1,126}");

    private final BankService service;
    private final Database database;
    private final MemoryBankRows banks;
    private final List<ProviderConfig> providers;

    BankController(BankService service, Database database, MemoryBankRows banks, ParleyConfig config) {
        this.service = service;
        this.database = database;
        this.banks = banks;
        providers = config.providers();
    }

    /**
     * List banks. The caller's own banks, banks of agents in the caller's projects and, for administrators, the bank of
     * the host. A page may have fewer rows than the limit and still be followed by another.
     *
     * @param scope Only banks of this scope: user, user_agent, agent or host.
     * @param includeInactive true: includes erased banks.
     * @return A page of banks.
     */
    @Get
    @Authenticated
    @Operation(operationId = "listBanks")
    Page<BankJson> list(
            @Nullable @QueryValue String scope,
            @Nullable @QueryValue String project,
            @Nullable @QueryValue String agent,
            @Nullable @QueryValue Boolean includeInactive,
            @Parameter(description = BankService.FRESH) @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        BankScope requestedScope = scope == null ? null : scope(scope);
        service.freshen(fresh);
        List<Bank> candidates = database.listingIn(
                Tenant.of(caller.host()),
                () -> banks.page(
                        caller.host(),
                        caller.user(),
                        requestedScope == null ? null : requestedScope.code(),
                        project,
                        agent,
                        Boolean.TRUE.equals(includeInactive),
                        Cursor.idOf(after),
                        MAX_ROWS));
        return visible(candidates, caller, pageSize);
    }

    private Page<BankJson> visible(List<Bank> candidates, Caller caller, int pageSize) {
        var visible = new ArrayList<BankJson>();
        UUID last = null;
        for (Bank bank : candidates) {
            if (visible.size() == pageSize) {
                return new Page<>(visible, Cursor.of("", String.valueOf(last)));
            }
            last = bank.id();
            if (service.sees(caller, bank.ref())) {
                visible.add(BankJson.of(bank, null));
            }
        }
        return new Page<>(visible, candidates.size() == MAX_ROWS ? Cursor.of("", String.valueOf(last)) : null);
    }

    private static BankScope scope(@Nullable String code) {
        return Coded.of(BankScope.class, code)
                .orElseThrow(
                        () -> ApiException.badRequest("invalid_scope", "A 'scope' is user, user_agent, agent or host"));
    }

    /** Create a bank. Returns the bank if it exists. Retaining the first turn in a bank also opens it. */
    @Post
    @Authenticated
    @Audited(source = "bank", action = "open")
    @Operation(operationId = "openBank")
    @ApiResponse(responseCode = "201", description = "The bank was created.")
    @ApiResponse(responseCode = "200", description = "The bank already exists and is unchanged.")
    HttpResponse<BankJson> open(@Body OpenJson body, Caller caller) {
        BankRef requested = ref(body, caller);
        if (requested.project() != null) {
            caller.require(Capability.MEMORY_READ, requested.project());
        }
        BankService.require(caller, requested, requested.user() == null ? Doing.LEAD : Doing.WRITE);
        BankRef ref = service.ofAgent(requested);
        Optional<Bank> existing = service.find(ref.host(), ref.id());
        if (existing.filter(Bank::active).isPresent()) {
            return HttpResponse.ok(BankJson.of(existing.get(), null));
        }
        if (existing.isEmpty() && hasMaxBanksLike(ref)) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "too_many", "The limit of %,d such banks is reached".formatted(MAX_BANKS));
        }
        // Concurrent requests send the same command id, so later changes of the profile are not overwritten.
        UUID command = Ids.of("open", ref.id(), existing.map(Bank::seq).orElse(0L));
        // A bank that the tables do not show may exist nevertheless; an erased one gets a new profile.
        BankProfile profile = existing.isPresent() ? BankProfile.of(ref) : null;
        service.send(caller, command, meta -> new ChangeBank(meta, ref, profile));
        return HttpResponse.created(BankJson.of(awaitBank(ref.host(), ref.id()), null));
    }

    private boolean hasMaxBanksLike(BankRef ref) {
        UUID project = ref.projectId().orElse(null);
        return MAX_BANKS
                <= database.<Long>readingIn(
                        Tenant.of(ref.host()), () -> banks.countLike(ref.host(), project, ref.user(), MAX_BANKS));
    }

    private static BankRef ref(OpenJson body, Caller caller) {
        BankScope scope = scope(body.scope());
        boolean ofAgent = scope == BankScope.AGENT || scope == BankScope.USER_AGENT;
        String agent = body.agent();
        if (ofAgent != (agent != null) || agent != null && !AGENT.matcher(agent).matches()) {
            throw ApiException.badRequest(
                    "invalid_agent",
                    "A bank with the scope agent or user_agent has an 'agent', by its name; others have none");
        }
        if (scope == BankScope.HOST) {
            if (body.project() != null) {
                throw ApiException.badRequest("invalid_project", "The bank of the host has no 'project'");
            }
            return new BankRef(caller.host(), null, null, null);
        }
        String project = body.project() == null ? AccessDirectory.defaultProject(caller.host()) : body.project();
        boolean isPersonal = scope == BankScope.USER || scope == BankScope.USER_AGENT;
        return new BankRef(caller.host(), project, agent, isPersonal ? caller.user() : null);
    }

    private Bank awaitBank(UUID host, UUID id) {
        return service.eventually(() -> service.find(host, id), "bank");
    }

    /**
     * Get a bank. Owner, profile, counts of the content, and position of the tables.
     *
     * @return The bank.
     */
    @Get("/{bank}")
    @Authenticated
    @Operation(operationId = "getBank")
    BankJson get(
            @PathVariable UUID bank,
            @Parameter(description = BankService.FRESH) @Nullable @QueryValue Boolean fresh,
            Caller caller) {
        service.freshen(fresh);
        Bank found = service.bank(caller, bank, Doing.READ);
        return BankJson.of(found, counts(found));
    }

    /** Counts of the content; null where counting takes too long. */
    private @Nullable CountsJson counts(Bank bank) {
        try {
            return CountsJson.of(service.read(bank, () -> banks.count(bank.host(), bank.id())));
        } catch (Sql.FailedException e) {
            if (e.state().equals(CANCELLED)) {
                return null;
            }
            throw e;
        }
    }

    /**
     * Set a bank's profile. Replaces the whole profile; missing fields get their defaults. The memories do not change.
     *
     * @return The bank.
     */
    @Put("/{bank}/profile")
    @Authenticated
    @Audited(source = "bank", action = "change")
    @Operation(operationId = "changeBank")
    @ApiResponse(
            responseCode = "400",
            description = "A trait is outside 1 to 5, a text is too long, or the model is unknown.")
    BankJson change(@PathVariable UUID bank, @Body ProfileJson body, Caller caller) {
        BankRef ref = service.bank(caller, bank, Doing.LEAD).ref();
        BankProfile profile = profile(body, ref);
        String model = profile.model();
        if (model != null) {
            AgentCheck.model(model, providers).ifPresent(fault -> {
                throw ApiException.badRequest("invalid_model", "The model '" + model + "' " + fault);
            });
        }
        service.send(caller, meta -> new ChangeBank(meta, ref, profile));
        return BankJson.of(awaitBank(ref.host(), bank), null);
    }

    /** Erase a bank. This cannot be undone. */
    @Delete("/{bank}")
    @Authenticated
    @Audited(source = "bank", action = "forget")
    @Operation(operationId = "eraseBank")
    @ApiResponse(
            responseCode = "202",
            description = "The content was erased from the bank and the tables; the receipt shows the rest.")
    HttpResponse<Erasing> erase(@PathVariable UUID bank, Caller caller) {
        return service.forget(caller, bank, Forget.What.BANK, null);
    }

    private static BankProfile profile(ProfileJson body, BankRef ref) {
        try {
            return body.profile(BankProfile.of(ref));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_profile", "Invalid profile: " + e.getMessage());
        }
    }
}
