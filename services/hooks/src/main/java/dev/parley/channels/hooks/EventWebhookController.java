package dev.parley.channels.hooks;

import dev.parley.channels.hooks.EventHooks.HookWithSecret;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfGuests;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.platform.audit.AuditTrail;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Correlation;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of the event webhooks of a project. */
@Controller("/v1/projects/{project}/webhooks")
@Requires(beans = ParleyConfig.class)
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(
        name = "Webhooks",
        description = "Events of a project, sent to URLs that it configures and signed according to Standard Webhooks.")
class EventWebhookController {
    private static final int MAX_DELIVERIES = 200;

    private final EventHooks hooks;
    private final Optional<AuditTrail> audit;

    EventWebhookController(EventHooks hooks, Optional<AuditTrail> audit) {
        this.hooks = hooks;
        this.audit = audit;
    }

    /**
     * An event webhook of a project.
     *
     * @param problem Reason why the webhook was disabled, or null.
     * @param failures Number of consecutive failed attempts.
     * @param secret Signing secret; present only in the response that creates it, otherwise null.
     */
    @Serdeable
    @Schema(name = "Webhook")
    record HookJson(
            UUID id,
            String url,
            String description,
            List<String> events,
            boolean enabled,
            @Nullable String problem,
            int failures,
            @Nullable Instant failingSince,
            Instant createdAt,
            long version,
            Instant updatedAt,
            String updatedBy,
            @Nullable String secret) {
        static HookJson of(EventHook hook, @Nullable String secret) {
            return new HookJson(
                    hook.hookId(),
                    hook.url(),
                    hook.description(),
                    hook.types(),
                    hook.enabled(),
                    hook.problem(),
                    hook.failures(),
                    hook.failingSince(),
                    hook.createdAt(),
                    hook.version(),
                    hook.updatedAt(),
                    hook.updatedBy(),
                    secret);
        }

        /** Omits secrets. */
        @Override
        public String toString() {
            return "HookJson[" + id + "]";
        }
    }

    /** The webhooks of a project. */
    @Serdeable
    @Schema(name = "WebhookList")
    record HooksJson(List<HookJson> data) {}

    /**
     * Delivery of an event to a webhook.
     *
     * @param state State of the delivery: waiting, delivered or failed.
     * @param status HTTP status of the last attempt, or null.
     * @param detail Reason why the last attempt failed, or null.
     * @param nextAt Time of the next attempt, or null.
     */
    @Serdeable
    @Schema(name = "WebhookDelivery")
    record DeliveryJson(
            UUID id,
            String event,
            String state,
            int attempts,
            @Nullable Integer status,
            @Nullable String detail,
            @Nullable Instant nextAt,
            Instant createdAt) {
        static DeliveryJson of(HookDelivery delivery) {
            return new DeliveryJson(
                    delivery.deliveryId(),
                    delivery.event(),
                    delivery.state(),
                    delivery.attempts(),
                    delivery.status(),
                    delivery.detail(),
                    delivery.state().equals("waiting") ? delivery.dueAt() : null,
                    delivery.createdAt());
        }
    }

    /** The newest deliveries of the last seven days. */
    @Serdeable
    @Schema(name = "WebhookDeliveryList")
    record DeliveriesJson(List<DeliveryJson> data) {}

    /** Id of the queued delivery. */
    @Serdeable
    @Schema(name = "WebhookTest")
    record TestJson(UUID delivery) {}

    private static Project in(Caller caller, String project) {
        return caller.require(Capability.PROJECT_UPDATE, project);
    }

    /** A webhook receives what happens in all sessions. */
    private static Project forReceivers(Caller caller, String project) {
        Project in = in(caller, project);
        caller.requireChange(new OfGuests(Set.of(Capability.SESSION_READ, Capability.SESSION_READ_ALL)), in);
        return in;
    }

    /** List webhooks. The event webhooks of the project. */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Get
    HooksJson list(@PathVariable String project, Caller caller) {
        return new HooksJson(hooks.list(in(caller, project)).stream()
                .map(hook -> HookJson.of(hook, null))
                .toList());
    }

    /** Get a webhook. The webhook, without its secret. */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Get("/{webhook}")
    HttpResponse<HookJson> show(@PathVariable String project, @PathVariable UUID webhook, Caller caller) {
        EventHook hook = hooks.find(in(caller, project), webhook);
        return HttpResponse.ok(HookJson.of(hook, null)).header("ETag", IfMatch.tag(hook.version()));
    }

    /** Create a webhook. The webhook receives events from now on. The secret is returned only once. */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Post
    @ApiResponse(responseCode = "201", description = "The webhook was created; the response has its secret.")
    HttpResponse<HookJson> make(
            @PathVariable String project, @Body EventWebhookBody body, HttpRequest<?> request, Caller caller) {
        Project targetProject = forReceivers(caller, project);
        HookWithSecret created = hooks.create(caller, targetProject, body);
        audit.ifPresent(trail -> trail.record(createdEntry(caller, targetProject, created.hook(), request)));
        return HttpResponse.created(HookJson.of(created.hook(), created.secret()))
                .header("ETag", IfMatch.tag(created.hook().version()))
                .header("Cache-Control", "no-store");
    }

    private static AuditEntry createdEntry(Caller caller, Project project, EventHook hook, HttpRequest<?> request) {
        return new AuditEntry(
                UUID.randomUUID(),
                caller.host(),
                project.project(),
                "webhook",
                "create",
                hook.hookId().toString(),
                caller.user(),
                caller.key().prefix(),
                Correlation.of(request).orElse(null),
                Instant.now(),
                true,
                null);
    }

    /**
     * Update a webhook. Replaces everything except the secret. Setting enabled to true resumes a disabled webhook;
     * missed events are not sent. Requires If-Match with the ETag that was read.
     */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Audited(source = "webhook", action = "update")
    @Put("/{webhook}")
    HttpResponse<HookJson> change(
            @PathVariable String project,
            @PathVariable UUID webhook,
            @Body EventWebhookBody body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        EventHook hook = hooks.change(caller, forReceivers(caller, project), webhook, body, ifMatch);
        return HttpResponse.ok(HookJson.of(hook, null)).header("ETag", IfMatch.tag(hook.version()));
    }

    /** Delete a webhook. Also removes the webhook's pending deliveries. */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Audited(source = "webhook", action = "delete")
    @Delete("/{webhook}")
    @ApiResponse(responseCode = "204", description = "The webhook was removed.")
    HttpResponse<Void> remove(
            @PathVariable String project,
            @PathVariable UUID webhook,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        hooks.remove(in(caller, project), webhook, ifMatch);
        return HttpResponse.noContent();
    }

    /** Rotate a webhook's secret. The new secret is returned only once. The previous one also signs for 24 hours. */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Audited(source = "webhook", action = "rotate")
    @Post("/{webhook}/secret")
    HttpResponse<HookJson> rotate(@PathVariable String project, @PathVariable UUID webhook, Caller caller) {
        HookWithSecret changed = hooks.rotate(caller, forReceivers(caller, project), webhook);
        return HttpResponse.ok(HookJson.of(changed.hook(), changed.secret()))
                .header("ETag", IfMatch.tag(changed.hook().version()))
                .header("Cache-Control", "no-store");
    }

    /** Send a test event. Queues the event webhook.test for the webhook. */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Post("/{webhook}/test")
    @ApiResponse(responseCode = "202", description = "The event was queued.")
    HttpResponse<TestJson> test(@PathVariable String project, @PathVariable UUID webhook, Caller caller) {
        return HttpResponse.accepted().body(new TestJson(hooks.test(in(caller, project), webhook)));
    }

    /**
     * List deliveries. The newest deliveries of the last seven days, at most 200.
     *
     * @param state Only deliveries in this state: waiting, delivered or failed. Defaults to all.
     */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Get("/{webhook}/deliveries")
    DeliveriesJson deliveries(
            @PathVariable String project,
            @PathVariable UUID webhook,
            @Nullable @QueryValue String state,
            Caller caller) {
        if (state != null && !List.of("waiting", "delivered", "failed").contains(state)) {
            throw ApiException.badRequest("invalid_state", "The 'state' is waiting, delivered or failed");
        }
        return new DeliveriesJson(hooks.deliveries(in(caller, project), webhook, state, MAX_DELIVERIES).stream()
                .map(DeliveryJson::of)
                .toList());
    }

    /** Redeliver an event. Queues a failed delivery again. */
    @RequiresCapability(Capability.PROJECT_UPDATE)
    @Audited(source = "webhook", action = "retry")
    @Post("/{webhook}/deliveries/{delivery}/retry")
    @ApiResponse(responseCode = "202", description = "The delivery was queued.")
    HttpResponse<TestJson> again(
            @PathVariable String project, @PathVariable UUID webhook, @PathVariable UUID delivery, Caller caller) {
        hooks.requeue(in(caller, project), webhook, delivery);
        return HttpResponse.accepted().body(new TestJson(delivery));
    }
}
