package dev.parley.channels.hooks;

import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
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

/** Webhooks that projects make, change and remove. */
@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
final class EventHooks {
    private static final int MOST = 20;
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

    /** One that was made, or has another secret. @param secret shown this once */
    record Made(EventHook hook, String secret) {
        @Override
        public String toString() {
            return "Made[" + hook + "]";
        }
    }

    private <T> T in(Project project, Supplier<T> work) {
        return database.in(Tenant.of(project.host()).project(project.project()), work);
    }

    private static ApiException unknown() {
        return ApiException.notFound("unknown_webhook", "There is no such webhook in this project.");
    }

    private EventHook locked(Project project, UUID id) {
        return rows.locked(project.host(), project.project(), id).orElseThrow(EventHooks::unknown);
    }

    /** Those of the project, the oldest first. */
    List<EventHook> list(Project project) {
        return in(project, () -> rows.of(project.host(), project.project()));
    }

    /** One of these. @throws ApiException 404 */
    EventHook find(Project project, UUID id) {
        return list(project).stream()
                .filter(one -> one.hookId().equals(id))
                .findFirst()
                .orElseThrow(EventHooks::unknown);
    }

    /** Makes one. @throws ApiException 400, 409, 501 */
    Made make(Caller caller, Project project, EventWebhookBody request) {
        String url = url(request);
        String events = request.checkedEvents();
        UUID id = UUID.randomUUID();
        String secret = HookSignature.secret();
        Sealed sealed = secrets.seal(secret, project.host(), id);
        EventHook made = in(project, () -> {
            if (rows.count(project.host(), project.project()) >= MOST) {
                throw new ApiException(HttpStatus.CONFLICT, "too_many", "A project has at most " + MOST + " webhooks.");
            }
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
        return new Made(made, secret);
    }

    private String url(EventWebhookBody request) {
        String url = request.url();
        if (url == null) {
            throw ApiException.badRequest("invalid_url", "The field 'url' is missing");
        }
        urls.check(url);
        return url;
    }

    /** Changes all but its secret. One that was disabled is enabled again by {@code enabled}. @throws ApiException 400, 404, 412, 428 */
    EventHook change(Caller caller, Project project, UUID id, EventWebhookBody request, @Nullable String ifMatch) {
        String url = url(request);
        String events = request.checkedEvents();
        return in(project, () -> {
            IfMatch.require(ifMatch, locked(project, id).version());
            return rows.change(
                    project.host(), id, url, request.checkedDescription(), events, request.isEnabled(), caller.user());
        });
    }

    /** Removes one, with what waits for it. */
    void remove(Project project, UUID id, @Nullable String ifMatch) {
        in(project, () -> {
            IfMatch.check(ifMatch, locked(project, id).version());
            rows.delete(project.host(), id);
            return id;
        });
    }

    /** Another secret; the one before signs as well for a day. */
    Made rotate(Caller caller, Project project, UUID id) {
        String secret = HookSignature.secret();
        Sealed sealed = secrets.seal(secret, project.host(), id);
        EventHook changed = in(project, () -> {
            locked(project, id);
            return rows.rotate(project.host(), id, sealed.bytes(), sealed.key(), caller.user());
        });
        return new Made(changed, secret);
    }

    /** Sends something to it that says nothing. @return the delivery */
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
            if (!locked(project, id).enabled()) {
                throw new ApiException(HttpStatus.CONFLICT, "webhook_disabled", "The webhook is disabled.");
            }
            deliveries.insert(project.host(), delivery, id, project.project(), TEST, event.body());
            return id;
        });
        return delivery;
    }

    /** The newest ones. @param state null for any */
    List<HookDelivery> deliveries(Project project, UUID id, @Nullable String state, int most) {
        return in(project, () -> {
            locked(project, id);
            return deliveries.newest(project.host(), id, state, most);
        });
    }

    /** Sends one again that was given up. @throws ApiException 404 where there is no such one */
    void again(Project project, UUID id, UUID delivery) {
        in(project, () -> {
            locked(project, id);
            if (deliveries.again(project.host(), id, delivery) == 0) {
                throw ApiException.notFound("unknown_delivery", "There is no such delivery that has failed.");
            }
            return id;
        });
    }
}
