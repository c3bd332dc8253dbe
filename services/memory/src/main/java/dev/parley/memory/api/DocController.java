package dev.parley.memory.api;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.BankClient;
import dev.parley.memory.api.BankService.Doing;
import dev.parley.memory.api.DocJson.GivenJson;
import dev.parley.memory.api.DocJson.OperationJson;
import dev.parley.memory.api.DocJson.OperationsJson;
import dev.parley.memory.api.DocJson.RetainJson;
import dev.parley.memory.view.ViewSignals;
import dev.parley.platform.database.Database;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Erasing;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.WaitParameter;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Documents of memory banks: retain, list, show, erase. */
@Controller("/v1/banks/{bank}")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Banks")
class DocController {
    private static final int MAX_DOCUMENTS = 100;
    private static final int MAX_KEY_LENGTH = 200;
    private static final int MAX_UNITS = 200;

    /** Maximum number of concurrent retain requests in this process. */
    private static final int MAX_CONCURRENT = 200;

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MAX_PAUSE_MILLIS = 500;

    /** After this time a retained document is in the tables, unless another one replaced it. */
    private static final Duration SHOWN = Duration.ofSeconds(2);

    private final BankService service;
    private final BankClient client;
    private final Database database;
    private final DocRows docs;
    private final OperationRows operations;
    private final MemoryUnitRows units;
    private final ViewSignals signals;
    private final Semaphore room = new Semaphore(MAX_CONCURRENT);

    DocController(
            BankService service,
            BankClient client,
            Database database,
            DocRows docs,
            OperationRows operations,
            MemoryUnitRows units,
            ViewSignals signals) {
        this.service = service;
        this.client = client;
        this.database = database;
        this.docs = docs;
        this.operations = operations;
        this.units = units;
        this.signals = signals;
    }

    /**
     * Retain documents. Retains one or more documents. Their words can be found at once, the facts in them shortly
     * afterwards. A document with the same content is retained once. The same Idempotency-Key yields the same
     * operations.
     *
     * @param wait How long to wait for processing, such as 30s; at most 10m.
     * @param idempotencyKey Identifies the request, so that duplicates are ignored; 1 to 200 characters.
     */
    @MaxBody(BodySize.DOCUMENT)
    @Post("/docs")
    @Authenticated
    @Operation(operationId = "retain")
    @ApiResponse(responseCode = "202", description = "The documents were accepted and are being processed.")
    @ApiResponse(responseCode = "200", description = "All documents were processed; only for requests with wait.")
    @ApiResponse(responseCode = "413", description = "A document has more than 1,048,576 characters.")
    @ApiResponse(
            responseCode = "429",
            description = "Too many documents are waiting or being retained; try again later.")
    HttpResponse<OperationsJson> retain(
            @PathVariable UUID bank,
            @Body RetainJson body,
            @Nullable @QueryValue String wait,
            @Nullable @Header("Idempotency-Key") String idempotencyKey,
            Caller caller) {
        Optional<Duration> timeout = WaitParameter.parse(wait);
        List<RetainRequest> documents = documents(body);
        Bank found = service.bank(caller, bank, Doing.WRITE);
        documents.forEach(document -> requireOwn(caller, found, document));
        Set<UUID> ids =
                documents.stream().map(document -> document.docId(found.ref())).collect(Collectors.toSet());
        List<OperationJson> results;
        try (var watch = signals.watch(timeout.isPresent() ? ids : Set.of())) {
            RetainedDocuments sent = send(caller, found, documents, reference(idempotencyKey));
            results = timeout.isPresent() ? awaitProcessed(found, sent, watch, timeout.get()) : sent.operations();
        }
        boolean done = timeout.isPresent() && results.stream().noneMatch(OperationJson::isPending);
        return response(bank, results, done);
    }

    private static HttpResponse<OperationsJson> response(UUID bank, List<OperationJson> results, boolean done) {
        MutableHttpResponse<OperationsJson> answer = HttpResponse.<OperationsJson>status(
                        done ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .body(new OperationsJson(results));
        return results.size() == 1
                ? answer.header(
                        HttpHeaders.LOCATION,
                        "/v1/banks/" + bank + "/operations/"
                                + results.getFirst().id())
                : answer;
    }

    /** Write access is enough to replace own documents; replacing those of others needs {@link Doing#LEAD}. */
    private void requireOwn(Caller caller, Bank bank, RetainRequest document) {
        UUID id = document.docId(bank.ref());
        service.read(bank, () -> docs.findOrigin(bank.host(), bank.id(), id)).ifPresent(origin -> {
            if (origin.said()) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "said_in_a_session",
                        "A document with this id is a turn of a session: it can be erased, but not replaced");
            }
            if (!origin.by().equals(caller.user())) {
                BankService.require(caller, bank.ref(), Doing.LEAD);
            }
        });
    }

    private static String reference(@Nullable String key) {
        if (key == null) {
            return UUID.randomUUID().toString();
        }
        if (key.isBlank() || key.length() > MAX_KEY_LENGTH) {
            throw ApiException.badRequest("invalid_idempotency_key", "An Idempotency-Key has 1 to 200 characters");
        }
        return key;
    }

    private static List<RetainRequest> documents(RetainJson body) {
        Instant now = Instant.now();
        List<GivenJson> several = body.documents();
        if (several == null) {
            return List.of(RetainRequest.of(body.singleDocument(), now));
        }
        if (!body.singleDocument().equals(GivenJson.NONE)) {
            throw ApiException.badRequest("invalid_field", "'documents' cannot be combined with other fields");
        }
        if (several.isEmpty() || several.size() > MAX_DOCUMENTS) {
            throw ApiException.badRequest(
                    several.isEmpty() ? "missing_field" : "too_many_documents",
                    "A request has 1 to %d documents, not %,d".formatted(MAX_DOCUMENTS, several.size()));
        }
        return several.stream()
                .map(document -> RetainRequest.of(Objects.requireNonNullElse(document, GivenJson.NONE), now))
                .toList();
    }

    /**
     * The operations of a retain request.
     *
     * @param areNew whether all documents are new to the bank
     */
    private record RetainedDocuments(List<OperationJson> operations, boolean areNew) {}

    private RetainedDocuments send(Caller caller, Bank bank, List<RetainRequest> documents, String reference) {
        if (!room.tryAcquire()) {
            throw new ApiException(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "too_many_requests",
                            "Too many documents are being retained now: try again in a moment")
                    .retryAfter(Duration.ofSeconds(1));
        }
        try {
            return sendAll(caller, bank, commands(caller, bank, documents, reference));
        } finally {
            room.release();
        }
    }

    /** Sends the commands and stores the results. A refusal is an HTTP error where there is one command. */
    private RetainedDocuments sendAll(Caller caller, Bank bank, List<Retain> commands) {
        List<Optional<Outcome>> outcomes = service.sendAll(commands);
        List<OperationRow> rows = IntStream.range(0, commands.size())
                .mapToObj(i -> OperationRow.of(
                        bank, caller.user(), commands.get(i), outcomes.get(i).orElse(null)))
                .toList();
        database.in(bank.tenant(), () -> {
            operations.purge(bank.host(), bank.id());
            operations.putAll(rows.stream()
                    .filter(row -> !"idempotency_mismatch".equals(row.code()))
                    .toList()); // the first operation of this id stays stored
        });
        if (outcomes.size() == 1 && outcomes.getFirst().orElse(null) instanceof Outcome.Refused refused) {
            throw BankService.problem(refused);
        }
        return new RetainedDocuments(
                rows.stream().map(OperationRow::json).toList(),
                outcomes.stream().allMatch(DocController::isNew));
    }

    private List<Retain> commands(Caller caller, Bank bank, List<RetainRequest> documents, String reference) {
        var commands = new ArrayList<Retain>();
        for (RetainRequest document : documents) {
            UUID id = Ids.of("retain", bank.id(), caller.user(), reference, commands.size());
            commands.add(document.command(client.meta(id, caller.host(), caller.user()), bank.ref()));
        }
        return commands;
    }

    private static boolean isNew(Optional<Outcome> outcome) {
        return outcome.orElse(null) instanceof Outcome.Retained retained && retained.isChanged();
    }

    /** Waits until all documents are processed. Refused ones stay refused: an earlier document may have the same id. */
    private List<OperationJson> awaitProcessed(
            Bank bank, RetainedDocuments retained, ViewSignals.Watch watch, Duration timeout) {
        List<UUID> pending = retained.operations().stream()
                .filter(OperationJson::isPending)
                .map(OperationJson::id)
                .toList();
        Map<UUID, OperationJson> processed = poll(bank, pending, retained.areNew(), watch, timeout).stream()
                .collect(Collectors.toMap(OperationJson::id, operation -> operation));
        return retained.operations().stream()
                .map(operation -> processed.getOrDefault(operation.id(), operation))
                .toList();
    }

    /**
     * Polls whenever one of the documents was processed. New documents appear in the tables by themselves; if they do
     * not in time, another document replaced them, and the tables must catch up first.
     */
    private List<OperationJson> poll(
            Bank bank, List<UUID> pending, boolean areNew, ViewSignals.Watch watch, Duration timeout) {
        long start = System.nanoTime();
        long pause = FIRST_PAUSE_MILLIS;
        boolean isNew = areNew;
        List<OperationJson> now = isNew ? List.of() : freshProgress(bank, pending);
        while (isNew || now.stream().anyMatch(OperationJson::isPending)) {
            long waited = System.nanoTime() - start;
            if (!isNew && waited >= timeout.toNanos()) {
                return now;
            }
            if (isNew && waited >= Math.min(timeout.toNanos(), SHOWN.toNanos())) {
                service.freshen(true);
                isNew = false;
            } else {
                await(watch, Math.min(pause, TimeUnit.NANOSECONDS.toMillis(timeout.toNanos() - waited) + 1));
                pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
            }
            now = progress(bank, pending, isNew);
            isNew &= now.stream().anyMatch(OperationJson::isPending);
        }
        return now;
    }

    private List<OperationJson> freshProgress(Bank bank, List<UUID> ids) {
        service.freshen(true);
        return progress(bank, ids, false);
    }

    /** Progress of retained documents; unknown ids are left out. */
    private List<OperationJson> progress(Bank bank, List<UUID> ids, boolean lagging) {
        return service.read(bank, () -> operations.findProgress(bank.host(), bank.id(), ids)).stream()
                .map(row -> row.json(lagging))
                .toList();
    }

    private static void await(ViewSignals.Watch watch, long millis) {
        BankService.waiting(() -> {
            watch.await(Duration.ofMillis(millis));
            return millis;
        });
    }

    /**
     * Get a document's progress. Available for a week after the document was retained.
     *
     * @return The progress of the document.
     */
    @Get("/operations/{id}")
    @Authenticated
    @Operation(operationId = "getMemoryOperation")
    OperationJson operation(@PathVariable UUID bank, @PathVariable UUID id, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.READ);
        return freshProgress(found, List.of(id)).stream()
                .findFirst()
                .orElseThrow(() -> ApiException.notFound("unknown_operation", "The bank has no such operation"));
    }

    /**
     * List documents. Documents, newest first.
     *
     * @param tag Only documents with this tag.
     * @return A page of documents, without their texts.
     */
    @Get("/docs")
    @Authenticated
    @Operation(operationId = "listMemoryDocuments")
    Page<DocJson> list(
            @PathVariable UUID bank,
            @Nullable @QueryValue String tag,
            @Parameter(description = BankService.FRESH) @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        Bank found = service.bank(caller, bank, Doing.READ);
        service.freshen(fresh);
        Long before = Cursor.firstNumberOf(after);
        List<DocJson> rows = service.list(found, () -> docs.page(found.host(), found.id(), tag, before, pageSize + 1));
        return Page.of(rows, pageSize, row -> row, row -> Cursor.of(row.seq(), row.id()));
    }

    /**
     * Get a document. The document with its text, its chunks, and the units found in it.
     *
     * @return The document.
     */
    @Get("/docs/{doc}")
    @Authenticated
    @Operation(operationId = "getMemoryDocument")
    DocJson get(@PathVariable UUID bank, @PathVariable UUID doc, Caller caller) {
        Bank found = service.bank(caller, bank, Doing.READ);
        var ofIt = new UnitFilter(null, null, null, doc, null, null, null, false);
        return service.eventually(
                () -> service.list(
                        found,
                        () -> docs.find(found.host(), found.id(), doc)
                                .map(document -> document.withUnits(units.page(found, ofIt, null, MAX_UNITS)))),
                "document");
    }

    /** Erase a document. Erases the document and everything derived from it. This cannot be undone. */
    @Delete("/docs/{doc}")
    @Authenticated
    @Audited(source = "bank", action = "forget-document")
    @Operation(operationId = "eraseMemoryDocument")
    @ApiResponse(
            responseCode = "202",
            description = "The document was erased from the bank and the tables; the receipt shows the rest.")
    HttpResponse<Erasing> erase(@PathVariable UUID bank, @PathVariable UUID doc, Caller caller) {
        return service.forget(caller, bank, Forget.What.DOCUMENT, doc);
    }
}
