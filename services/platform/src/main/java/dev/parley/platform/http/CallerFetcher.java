package dev.parley.platform.http;

import dev.parley.platform.access.KeyUsage;
import dev.parley.platform.collection.RecentCounts;
import dev.parley.platform.http.network.ClientAddress;
import dev.parley.platform.http.signin.BrowserSignIn;
import dev.parley.platform.http.signin.IssuedTokens;
import dev.parley.platform.http.signin.Tickets;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.filters.AuthenticationFetcher;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Authenticates requests: by {@code Authorization: Bearer KEY} or {@code api-key: KEY}, which may be a token of a
 * configured issuer, by a ticket when a browser opens a stream, or by the cookie of a page of this server. After 60 wrong keys from an address
 * within a minute, further ones are rejected without a check.
 */
@Singleton
@Requires(property = "parley.admin-key")
public final class CallerFetcher implements AuthenticationFetcher<HttpRequest<?>> {
    /** The header with a key that clients for Azure's form of OpenAI's protocol send. */
    public static final String API_KEY = "api-key";

    private static final String BEARER = "bearer ";
    private static final int MAX_WRONG = 60;
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MAX_ADDRESSES = 10_000;

    private final Callers callers;
    private final ClientAddress clients;
    private final Tickets tickets;
    private final BrowserSignIn browsers;
    private final Optional<KeyUsage> usage;
    private final Optional<IssuedTokens> issued;
    private final Scheduler blocking;
    private final RecentCounts wrong = new RecentCounts(WINDOW, MAX_ADDRESSES);

    CallerFetcher(
            Callers callers,
            ClientAddress clients,
            Tickets tickets,
            BrowserSignIn browsers,
            Optional<KeyUsage> usage,
            Optional<IssuedTokens> issued,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.callers = callers;
        this.clients = clients;
        this.tickets = tickets;
        this.browsers = browsers;
        this.usage = usage;
        this.issued = issued;
        this.blocking = Schedulers.fromExecutorService(blocking);
    }

    @Override
    public Publisher<Authentication> fetchAuthentication(HttpRequest<?> request) {
        Optional<String> key = header(request);
        if (key.isEmpty()) {
            Optional<Caller> ticket = ticket(request).flatMap(tickets::check);
            return ticket.isEmpty() && browsers.mayHaveCaller(request) ? cookie(request) : result(ticket);
        }
        Optional<Caller> caller = callers.byKey(key.get());
        if (caller.isPresent()) {
            countUse(caller.get());
            return result(caller);
        }
        if (issued.isPresent() && issued.get().takes(key.get())) {
            return token(request, issued.get(), key.get());
        }
        return onRefused(clients.networkOf(request), callers.mayBeNew(key.get()) ? key.get() : null);
    }

    /** Not on the thread of the connection, since it is looked up whether the browser has signed out. */
    private Publisher<Authentication> cookie(HttpRequest<?> request) {
        return Mono.fromCallable(() -> browsers.caller(request))
                .subscribeOn(blocking)
                .flatMap(Mono::justOrEmpty);
    }

    private static Publisher<Authentication> result(Optional<Caller> caller) {
        return caller.<Publisher<Authentication>>map(Publishers::just).orElseGet(Publishers::empty);
    }

    private Publisher<Authentication> onRefused(String address, @Nullable String newKey) {
        if (wrong.add(address) > MAX_WRONG) {
            return Publishers.just(tooMany());
        }
        return newKey == null
                ? Publishers.empty()
                : Mono.fromCallable(() -> callers.byNewKey(newKey))
                        .subscribeOn(Schedulers.boundedElastic())
                        .flatMap(found -> {
                            found.ifPresent(caller -> {
                                wrong.reset(address);
                                countUse(caller);
                            });
                            return Mono.justOrEmpty(found);
                        });
    }

    /** Not on the thread of the connection, since the keys of the issuer may have to be fetched. */
    private Publisher<Authentication> token(HttpRequest<?> request, IssuedTokens tokens, String text) {
        return Mono.fromCallable(() -> tokens.caller(text))
                .subscribeOn(blocking)
                .cast(Authentication.class)
                .onErrorResume(ApiException.class, e -> {
                    if (e.code().equals(IssuedTokens.INVALID) && wrong.add(clients.networkOf(request)) > MAX_WRONG) {
                        return Mono.error(tooMany());
                    }
                    request.setAttribute(Unauthorized.REFUSAL, e);
                    return Mono.empty();
                });
    }

    private static ApiException tooMany() {
        return new ApiException(
                        HttpStatus.TOO_MANY_REQUESTS, "too_many_attempts", "Too many wrong keys came from here.")
                .retryAfter(WINDOW);
    }

    private void countUse(Caller caller) {
        usage.ifPresent(counter -> counter.countUse(caller.key()));
    }

    private static Optional<String> header(HttpRequest<?> request) {
        return request.getHeaders()
                .findFirst("Authorization")
                .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(value -> value.substring(BEARER.length()).strip())
                .or(() -> request.getHeaders().findFirst(API_KEY).map(String::strip));
    }

    private static Optional<String> ticket(HttpRequest<?> request) {
        String path = request.getPath();
        boolean stream = request.getMethod() == HttpMethod.GET && (path.endsWith("/events") || path.equals("/v1/ws"));
        @Nullable String ticket = stream ? request.getParameters().get("ticket") : null;
        return Optional.ofNullable(ticket);
    }
}
