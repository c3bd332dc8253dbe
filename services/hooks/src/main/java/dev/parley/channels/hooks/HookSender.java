package dev.parley.channels.hooks;

import dev.parley.channels.contract.RetryAfter;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.service.Recurring;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends due deliveries, at least once and in no order. Every instance sends; a delivery is leased to one of them for a
 * minute, so that it is retried after a crash. A receiver has ten seconds to answer, and its body is not read. Disabled
 * webhooks receive no requests: their deliveries fail, and are deleted after seven days, like all completed ones.
 */
final class HookSender extends Recurring {
    private static final Logger LOG = LoggerFactory.getLogger(HookSender.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration IDLE_INTERVAL = Duration.ofSeconds(2);
    private static final Duration MAX_WAIT = Duration.ofHours(12);
    private static final long PURGE_INTERVAL = Duration.ofHours(1).toNanos();
    private static final MediaType JSON = MediaType.get("application/json");

    private final Database database;
    private final HookRows hooks;
    private final HookDeliveryRows deliveries;
    private final HookSecrets secrets;
    private final Outbound outbound;
    private final Consumer<AuditEntry> audit;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private boolean idle;
    private long lastPurge = System.nanoTime() - PURGE_INTERVAL;

    HookSender(
            Database database,
            HookRows hooks,
            HookDeliveryRows deliveries,
            HookSecrets secrets,
            Outbound outbound,
            Consumer<AuditEntry> audit) {
        super("event webhooks", POLL_INTERVAL, "events cannot be sent to webhooks");
        this.database = database;
        this.hooks = hooks;
        this.deliveries = deliveries;
        this.secrets = secrets;
        this.outbound = outbound.repeating(); // receivers recognise a repeated delivery by its id
        this.audit = audit;
    }

    @Override
    protected Duration rest(boolean failed) {
        return failed ? IDLE_INTERVAL.plus(IDLE_INTERVAL) : idle ? IDLE_INTERVAL : POLL_INTERVAL;
    }

    @Override
    protected void pass() throws InterruptedException {
        idle = !database.in(Tenant.ALL, hooks::any);
        List<HookDelivery> due;
        do {
            due = database.in(Tenant.ALL, this::leaseDue);
            List<Callable<Void>> calls = new ArrayList<>();
            due.forEach(delivery -> calls.add(() -> {
                deliver(delivery);
                return null;
            }));
            threads.invokeAll(calls);
        } while (!due.isEmpty() && !isClosing());
        secrets.reseal();
        purge();
    }

    private List<HookDelivery> leaseDue() {
        List<HookDelivery> due = deliveries.due();
        due.forEach(delivery -> deliveries.lease(delivery.hostId(), delivery.deliveryId()));
        return due;
    }

    private void purge() {
        if (System.nanoTime() - lastPurge >= PURGE_INTERVAL) {
            lastPurge = System.nanoTime();
            while (database.in(Tenant.ALL, deliveries::purge) > 0 && !isClosing()) {
                // in batches
            }
        }
    }

    private void deliver(HookDelivery delivery) {
        try {
            EventHook hook = database.in(tenant(delivery), () -> hooks.find(delivery.hostId(), delivery.hookId()))
                    .orElse(null);
            if (hook == null || !hook.enabled()) {
                complete(delivery, "failed", null, "it is disabled", Duration.ZERO);
            } else {
                complete(delivery, hook, attempt(delivery, hook));
            }
        } catch (RuntimeException e) { // retried when its lease expires
            LOG.atWarn()
                    .addKeyValue("delivery", delivery.deliveryId())
                    .setCause(e)
                    .log("event webhook delivery failed");
        }
    }

    private static Tenant tenant(HookDelivery delivery) {
        return Tenant.of(delivery.hostId()).project(delivery.projectId());
    }

    /**
     * The result of an attempt.
     *
     * @param problem null where it was delivered
     * @param retryAfter {@code Retry-After} of the receiver, or null
     */
    private record Attempt(
            int status, @Nullable String problem, @Nullable Duration retryAfter) {}

    private Attempt attempt(HookDelivery delivery, EventHook hook) {
        try (Response response =
                client(delivery).newCall(request(delivery, hook)).execute()) {
            return response.isSuccessful()
                    ? new Attempt(response.code(), null, null)
                    : new Attempt(
                            response.code(),
                            "it answered " + response.code(),
                            RetryAfter.read(response.header("Retry-After"), MAX_WAIT));
        } catch (IOException e) {
            String reason = e instanceof UnknownHostException
                    ? e.getMessage()
                    : e.getClass().getSimpleName();
            return new Attempt(0, "no answer: " + reason, null);
        } catch (IllegalStateException e) {
            return new Attempt(0, "its secret " + e.getMessage(), null);
        }
    }

    /** A client that reaches what the project may reach. */
    private OkHttpClient client(HookDelivery delivery) {
        return outbound.in(new CatalogueScope(delivery.hostId(), delivery.projectId()))
                .http()
                .newBuilder()
                .connectTimeout(Duration.ofSeconds(5))
                .callTimeout(TIMEOUT)
                .build();
    }

    private Request request(HookDelivery delivery, EventHook hook) {
        String id = "msg_" + delivery.deliveryId();
        long now = Instant.now().getEpochSecond();
        return new Request.Builder()
                .url(HttpUrl.get(hook.url()))
                .header("User-Agent", "parley")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(now))
                .header("webhook-signature", HookSignature.of(secrets.of(hook), id, now, delivery.body()))
                .post(RequestBody.create(delivery.body().getBytes(StandardCharsets.UTF_8), JSON))
                .build();
    }

    private void complete(HookDelivery delivery, EventHook hook, Attempt attempt) {
        Integer status = attempt.status() == 0 ? null : attempt.status();
        String problem = attempt.problem();
        if (problem == null) {
            database.in(tenant(delivery), () -> {
                hooks.succeeded(hook.hostId(), hook.hookId());
            });
            complete(delivery, "delivered", status, null, Duration.ZERO);
            return;
        }
        Duration wait = HookRetries.after(
                        delivery.attempts() + 1,
                        attempt.retryAfter(),
                        ThreadLocalRandom.current().nextDouble())
                .orElse(null);
        complete(delivery, wait == null ? "failed" : "waiting", status, problem, wait == null ? MAX_WAIT : wait);
        database.in(
                        tenant(delivery),
                        () -> hooks.locked(hook.hostId(), hook.projectId(), hook.hookId())
                                .map(current -> hooks.failed(current.hostId(), current.hookId())))
                .ifPresent(now -> disableIfFailing(now, attempt.status()));
    }

    private void complete(
            HookDelivery delivery, String state, @Nullable Integer status, @Nullable String detail, Duration wait) {
        database.in(tenant(delivery), () -> {
            deliveries.complete(delivery.hostId(), delivery.deliveryId(), state, status, detail, wait.toMillis() / 1e3);
        });
    }

    private void disableIfFailing(EventHook hook, int status) {
        Instant now = Instant.now();
        Instant failingSince = hook.failingSince() == null ? now : hook.failingSince();
        HookRetries.disableReason(status, hook.failures(), failingSince, now)
                .ifPresent(problem -> disable(hook, problem));
    }

    private void disable(EventHook hook, String problem) {
        boolean disabledHere = database.in(Tenant.of(hook.hostId()).project(hook.projectId()), () -> {
            int disabled = hooks.disable(hook.hostId(), hook.hookId(), problem);
            deliveries.failPending(hook.hostId(), hook.hookId(), "it is disabled: " + problem);
            return disabled > 0;
        });
        if (disabledHere) {
            LOG.atWarn()
                    .addKeyValue("webhook", hook.hookId())
                    .addKeyValue("reason", problem)
                    .log("event webhook disabled");
            audit.accept(disabledEntry(hook, problem));
        }
    }

    private static AuditEntry disabledEntry(EventHook hook, String problem) {
        return new AuditEntry(
                UUID.randomUUID(),
                hook.hostId(),
                hook.projectId(),
                "webhook",
                "disable",
                hook.hookId().toString(),
                null,
                null,
                null,
                Instant.now(),
                true,
                problem);
    }

    @Override
    public void close() {
        super.close();
        threads.shutdownNow();
    }
}
