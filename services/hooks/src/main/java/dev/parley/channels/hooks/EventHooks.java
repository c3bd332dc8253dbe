package dev.parley.channels.hooks;

import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.sealing.Sealing.Sealed;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates, changes, tests and removes the event webhooks of projects. */
@Singleton
@Requires(beans = ParleyConfig.class)
final class EventHooks {
    private static final int MAX_WEBHOOKS = 20;
    private static final String TEST = "webhook.test";

    private final Database database;
    private final HookRows rows;
    private final HookDeliveryRows deliveries;
    private final HookSecrets secrets;
    private final ReplyUrls urls;

    EventHooks(Database database, HookRows rows, HookDeliveryRows deliveries, HookSecrets secrets, ReplyUrls urls) {
        this.database = database;
        this.rows = rows;
        this.deliveries = deliveries;
        this.secrets = secrets;
        this.urls = urls;
    }

    /**
     * A new webhook, or one with a new secret.
     *
     * @param secret returned to the caller once
     */
    record HookWithSecret(EventHook hook, String secret) {
        @Override
        public String toString() {
            return "HookWithSecret[" + hook + "]";
        }
    }

    private <T> T in(Project project, Supplier<T> work) {
        return database.in(tenant(project), work);
    }

    private static Tenant tenant(Project project) {
        return Tenant.of(project.host()).project(project.project());
    }

    private static ApiException unknown() {
        return ApiException.notFound("unknown_webhook", "There is no such webhook in this project.");
    }

    private EventHook requireForUpdate(Project project, UUID id) {
        return rows.locked(project.host(), project.project(), id).orElseThrow(EventHooks::unknown);
    }

    /** The webhooks of a project, oldest first. */
    List<EventHook> list(Project project) {
        return in(project, () -> rows.of(project.host(), project.project()));
    }

    /**
     * One webhook of a project.
     *
     * @throws ApiException 404
     */
    EventHook find(Project project, UUID id) {
        return list(project).stream()
                .filter(hook -> hook.hookId().equals(id))
                .findFirst()
                .orElseThrow(EventHooks::unknown);
    }

    /**
     * Creates a webhook.
     *
     * @throws ApiException 400, 409, 501
     */
    HookWithSecret create(Caller caller, Project project, EventWebhookBody request) {
        String url = url(project, request);
        String events = request.checkedEvents();
        UUID id = UUID.randomUUID();
        String secret = HookSignature.newSecret();
        Sealed sealed = secrets.seal(secret, project.host(), id);
        EventHook hook = database.in(tenant(project), transaction -> {
            checkQuota(transaction, project);
            return rows.insert(
                    project.host(),
                    id,
                    project.project(),
                    url,
                    request.checkedDescription(),
                    events,
                    sealed.bytes(),
                    sealed.key(),
                    request.isEnabled(),
                    caller.user());
        });
        return new HookWithSecret(hook, secret);
    }

    private void checkQuota(Transaction transaction, Project project) {
        transaction.lock("quota/webhooks/" + project.project());
        if (rows.count(project.host(), project.project()) >= MAX_WEBHOOKS) {
            throw new ApiException(
                    HttpStatus.CONFLICT, "too_many", "A project has at most " + MAX_WEBHOOKS + " webhooks.");
        }
    }

    private String url(Project project, EventWebhookBody request) {
        String url = request.url();
        if (url == null) {
            throw ApiException.badRequest("invalid_url", "The field 'url' is missing");
        }
        urls.check(project.host(), project.project(), url);
        return url;
    }

    /**
     * Replaces everything but the secret; {@code enabled} enables a disabled webhook again.
     *
     * @throws ApiException 400, 404, 412, 428
     */
    EventHook change(Caller caller, Project project, UUID id, EventWebhookBody request, @Nullable String ifMatch) {
        String url = url(project, request);
        String events = request.checkedEvents();
        return in(project, () -> {
            IfMatch.require(ifMatch, requireForUpdate(project, id).version());
            return rows.change(
                    project.host(), id, url, request.checkedDescription(), events, request.isEnabled(), caller.user());
        });
    }

    /** Removes a webhook and its pending deliveries. */
    void remove(Project project, UUID id, @Nullable String ifMatch) {
        in(project, () -> {
            IfMatch.check(ifMatch, requireForUpdate(project, id).version());
            rows.delete(project.host(), id);
            return id;
        });
    }

    /** Creates a new secret; the previous one also signs for 24 hours. */
    HookWithSecret rotate(Caller caller, Project project, UUID id) {
        String secret = HookSignature.newSecret();
        Sealed sealed = secrets.seal(secret, project.host(), id);
        EventHook changed = in(project, () -> {
            requireForUpdate(project, id);
            return rows.rotate(project.host(), id, sealed.bytes(), sealed.key(), caller.user());
        });
        return new HookWithSecret(changed, secret);
    }

    /**
     * Queues a test event without content.
     *
     * @return the delivery
     */
    UUID test(Project project, UUID id) {
        UUID delivery = UUID.randomUUID();
        var event = new HookEvent(
                project.host(),
                project.project(),
                TEST,
                delivery.toString(),
                null,
                Instant.now(),
                "{\"project\":\"" + project.projectKey() + "\"}");
        in(project, () -> {
            if (!requireForUpdate(project, id).enabled()) {
                throw new ApiException(HttpStatus.CONFLICT, "webhook_disabled", "The webhook is disabled.");
            }
            deliveries.insert(project.host(), delivery, id, project.project(), TEST, event.body());
            return id;
        });
        return delivery;
    }

    /**
     * The newest deliveries.
     *
     * @param state null for all
     */
    List<HookDelivery> deliveries(Project project, UUID id, @Nullable String state, int limit) {
        EventHook hook = find(project, id);
        return database.listingIn(
                tenant(project), () -> deliveries.newest(project.host(), hook.hookId(), state, limit));
    }

    /**
     * Queues a failed delivery again.
     *
     * @throws ApiException 404 where the webhook has no such failed delivery
     */
    void requeue(Project project, UUID id, UUID delivery) {
        in(project, () -> {
            requireForUpdate(project, id);
            if (deliveries.requeue(project.host(), id, delivery) == 0) {
                throw ApiException.notFound("unknown_delivery", "There is no such failed delivery.");
            }
            return id;
        });
    }
}
