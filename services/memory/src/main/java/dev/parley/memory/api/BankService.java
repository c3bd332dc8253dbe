package dev.parley.memory.api;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.BankClient;
import dev.parley.memory.BankClient.UnsentException;
import dev.parley.memory.view.ViewSignals;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.ReadYourWrites;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Erasing;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Looks up banks for all controllers, checks access, sends commands, and maps refusals to HTTP errors. */
@Singleton
final class BankService {
    /** Description of the parameter {@code fresh} of lists. */
    static final String FRESH = "true: waits until the tables show all earlier events.";

    /** Timeout for an outcome. */
    static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    /** Timeout for tables that lag. */
    private static final Duration TABLES_TIMEOUT = Duration.ofSeconds(2);

    private final Database database;
    private final MemoryBankRows banks;
    private final BankClient client;
    private final ReadYourWrites freshness;
    private final ViewSignals signals;
    private final KafkaDefinitions definitions;

    BankService(
            Database database,
            MemoryBankRows banks,
            BankClient client,
            ReadYourWrites freshness,
            ViewSignals signals,
            KafkaDefinitions definitions) {
        this.database = database;
        this.banks = banks;
        this.client = client;
        this.freshness = freshness;
        this.signals = signals;
        this.definitions = definitions;
    }

    /** Levels of access to a bank. */
    enum Doing {
        /** Read its content, and recall. */
        READ,
        /** Retain documents. */
        WRITE,
        /** Change its profile, and erase content. */
        LEAD
    }

    /**
     * The bank with this id.
     *
     * @throws ApiException 404 where it does not exist or is hidden from the caller; 403 where the caller, or the API
     *     key, lacks the permission; 409 where its project is archived
     */
    Bank bank(Caller caller, UUID id, Doing doing) {
        Bank bank = readEventually(() -> find(caller.host(), id).filter(found -> !isHidden(caller, found.ref())))
                .orElseThrow(BankService::unknown);
        require(caller, bank.ref(), doing);
        return bank;
    }

    /**
     * Whether the bank is reported as missing, which takes as long as for a bank that does not exist. A bank
     * ends with its agent, even before its erasure is complete.
     */
    private boolean isHidden(Caller caller, BankRef bank) {
        return hasEnded(bank)
                || refusal(caller, bank, Doing.READ)
                        .filter(problem -> problem.status() == HttpStatus.NOT_FOUND)
                        .isPresent();
    }

    private boolean hasEnded(BankRef bank) {
        UUID agent = bank.agentId();
        return agent != null && !definitions.hasAgent(agent);
    }

    private static Optional<ApiException> refusal(Caller caller, BankRef bank, Doing doing) {
        try {
            require(caller, bank, doing);
            return Optional.empty();
        } catch (ApiException e) {
            return Optional.of(e);
        }
    }

    /**
     * A user's bank is theirs alone; an agent's bank belongs to the members of its project, a host's bank to
     * administrators.
     */
    static void require(Caller caller, BankRef bank, Doing doing) {
        String project = bank.project();
        boolean isOthers = bank.user() != null && !bank.user().equals(caller.user());
        if (isOthers
                || !bank.host().equals(caller.host())
                || project == null && !caller.person().admin()) {
            throw unknown();
        }
        if (project == null) {
            caller.require(Capability.SETTING_MANAGE);
            return;
        }
        try {
            caller.require(capability(bank, doing), project);
        } catch (ApiException e) {
            throw e.status() == HttpStatus.NOT_FOUND ? unknown() : e;
        }
    }

    private static Capability capability(BankRef bank, Doing doing) {
        return switch (doing) {
            case READ -> Capability.MEMORY_READ;
            case WRITE -> Capability.MEMORY_WRITE;
            case LEAD -> bank.user() == null ? Capability.AGENT_MANAGE : Capability.MEMORY_WRITE;
        };
    }

    /** Whether the caller can see that the bank exists. */
    boolean sees(Caller caller, BankRef bank) {
        return !hasEnded(bank) && refusal(caller, bank, Doing.READ).isEmpty();
    }

    /** The bank of the agent that currently has this name in the project; unchanged if there is none. */
    BankRef ofAgent(BankRef bank) {
        String name = bank.agent();
        String project = bank.project();
        if (name == null || project == null) {
            return bank;
        }
        return definitions
                .in(bank.host(), RecordKey.projectId(project))
                .agent(name)
                .map(agent -> agent.bank(bank.host(), project, bank.user()))
                .orElse(bank);
    }

    private static ApiException unknown() {
        return ApiException.notFound("unknown_bank", "There is no such bank");
    }

    /** The bank with this id, whoever may see it. */
    Optional<Bank> find(UUID host, UUID id) {
        return database.readingIn(Tenant.of(host), () -> banks.findByHostAndId(host, id));
    }

    /** Reads the tables of a bank, in one read-only transaction of its tenant. */
    <T> T read(Bank bank, Supplier<T> read) {
        return database.readingIn(bank.tenant(), read);
    }

    /** Like {@link #read}, for a list with optional filters. */
    <T> T list(Bank bank, Supplier<T> read) {
        return database.listingIn(bank.tenant(), read);
    }

    /** Retries a read until it finds something or the tables have caught up. */
    <T> T eventually(Supplier<Optional<T>> read, String kind) {
        return readEventually(read)
                .orElseThrow(() -> ApiException.notFound("unknown_" + kind, "The bank has no such " + kind));
    }

    private <T> Optional<T> readEventually(Supplier<Optional<T>> read) {
        Optional<T> found = read.get();
        return found.isPresent() ? found : signals.waiting(() -> freshness.eventually(read));
    }

    /** Waits for the tables, where requested. */
    void freshen(@Nullable Boolean fresh) {
        if (Boolean.TRUE.equals(fresh)) {
            freshen();
        }
    }

    private void freshen() {
        signals.waiting(() -> freshness.await(TABLES_TIMEOUT));
    }

    /**
     * Sends a command to a bank. Returns when the tables show its result, or two seconds later.
     *
     * @throws ApiException where it is refused; 503 where there is no outcome in time: it may still be executed
     */
    void send(Caller caller, Function<CommandMeta, MemoryCommand> command) {
        send(caller, UUID.randomUUID(), command);
    }

    /** Like {@link #send(Caller, Function)}, with a given command id: duplicates are ignored. */
    void send(Caller caller, UUID id, Function<CommandMeta, MemoryCommand> command) {
        if (!isDone(caller, id, command)) {
            throw later("unavailable", "The bank does not answer in time");
        }
    }

    private boolean isDone(Caller caller, UUID id, Function<CommandMeta, MemoryCommand> command) {
        MemoryCommand request = command.apply(client.meta(id, caller.host(), caller.user()));
        Optional<Outcome> outcome = sendAll(List.of(request)).getFirst();
        if (outcome.orElse(null) instanceof Outcome.Refused refused) {
            throw problem(refused);
        }
        freshen();
        return outcome.isPresent();
    }

    /**
     * Erases content of a bank and returns the location of the receipt. For a bank whose partition is moving, the
     * receipt appears later.
     */
    HttpResponse<Erasing> forget(Caller caller, UUID id, Forget.What what, @Nullable UUID contentId) {
        Bank bank = bank(caller, id, Doing.LEAD);
        UUID erasure = UUID.randomUUID();
        isDone(caller, erasure, meta -> new Forget(meta, bank.ref(), what, contentId, null));
        return Erasing.accepted("/v1/banks/" + id + "/erasures/", erasure);
    }

    /** Sends commands and waits for their outcomes; empty for those that time out. Duplicates are ignored. */
    List<Optional<Outcome>> sendAll(List<? extends MemoryCommand> commands) {
        return waiting(() -> client.sendAll(commands, Deadline.in(OUTCOME_TIMEOUT)));
    }

    /** Blocking work with a timeout. */
    @FunctionalInterface
    interface Waiting<T> {
        T get() throws InterruptedException;
    }

    /** Runs blocking work, and maps its failures to HTTP errors. */
    static <T> T waiting(Waiting<T> work) {
        try {
            return work.get();
        } catch (UnsentException e) {
            throw switch (e.getCause()) {
                case RecordTooLargeException _ -> ApiException.tooLarge("A document is larger than 8 MiB: split it");
                case RejectedExecutionException _ -> later("overloaded", "Too many commands are in flight here", e);
                case null, default -> later("unavailable", "Kafka does not accept commands now", e);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw later("unavailable", "This instance is stopping");
        }
    }

    static ApiException later(String code, String reason) {
        return later(code, reason, null);
    }

    private static ApiException later(String code, String reason, @Nullable Throwable cause) {
        return new ApiException(HttpStatus.SERVICE_UNAVAILABLE, code, reason + "; try again in a moment", cause)
                .retryAfter(RETRY_DELAY);
    }

    /** The HTTP error for a refusal. */
    static ApiException problem(Outcome.Refused refused) {
        String message = refused.message();
        String sentence = message.isEmpty() ? message : Character.toUpperCase(message.charAt(0)) + message.substring(1);
        var problem = new ApiException(status(refused.code()), refused.code(), sentence);
        boolean passes =
                problem.status() == HttpStatus.TOO_MANY_REQUESTS || problem.status() == HttpStatus.SERVICE_UNAVAILABLE;
        return passes ? problem.retryAfter(RETRY_DELAY) : problem;
    }

    private static HttpStatus status(String code) {
        return switch (code) {
            case "unknown_bank",
                    "unknown_unit",
                    "unknown_document",
                    "unknown_turn",
                    "unknown_directive",
                    "unknown_mental_model" -> HttpStatus.NOT_FOUND;
            case "empty_document",
                    "too_many_tags",
                    "invalid_question",
                    "invalid_name",
                    "invalid_allowance",
                    "unknown_model" -> HttpStatus.BAD_REQUEST;
            case "document_too_long" -> HttpStatus.REQUEST_ENTITY_TOO_LARGE;
            case "bank_busy", "busy" -> HttpStatus.TOO_MANY_REQUESTS;
            case "no_answer", "bank_opening", "branch_arriving" -> HttpStatus.SERVICE_UNAVAILABLE;
            case "internal_error" -> HttpStatus.INTERNAL_SERVER_ERROR;
            default -> HttpStatus.CONFLICT; // a code of a newer version
        };
    }
}
