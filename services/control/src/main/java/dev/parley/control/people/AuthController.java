package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.control.people.People.NewPerson;
import dev.parley.control.people.SignInThrottle.Limit;
import dev.parley.control.people.SignIns.Client;
import dev.parley.control.people.SignIns.IssuedTokens;
import dev.parley.domain.access.Capability;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.network.ClientAddress;
import dev.parley.platform.http.signin.BrowserSignIn;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
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
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Routes to register, sign in, refresh and sign out. */
@Controller("/v1/auth")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Sign-in", description = "Registration, sign-in, token refresh and sign-out.")
class AuthController {
    private static final Pattern USERNAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final People people;
    private final SignIns signIns;
    private final Passwords passwords;
    private final SignInThrottle attempts;
    private final Registration registration;
    private final BrowserSignIn browsers;
    private final ClientAddress clients;
    private final KnownDevices devices;

    AuthController(
            People people,
            SignIns signIns,
            Passwords passwords,
            SignInThrottle attempts,
            Registration registration,
            BrowserSignIn browsers,
            ClientAddress clients,
            KnownDevices devices) {
        this.people = people;
        this.signIns = signIns;
        this.passwords = passwords;
        this.attempts = attempts;
        this.registration = registration;
        this.browsers = browsers;
        this.clients = clients;
        this.devices = devices;
    }

    /**
     * A new account.
     *
     * @param username 1 to 64 letters, digits, dots, hyphens or underscores; unique regardless of case.
     * @param password Password of at least 10 characters; null if the user signs in by other means.
     * @param code For the first account, the code that the server printed when it started.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Registration")
    record RegisterJson(
            @Nullable String username,
            @Nullable String email,
            @Nullable String password,
            @Nullable String timeZone,
            @Nullable String language,
            @Nullable String code) {
        /** Omits secrets. */
        @Override
        public String toString() {
            return "RegisterJson[" + username + "]";
        }
    }

    /** A username or an e-mail address, and a password. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "SignIn")
    record LoginJson(
            @Nullable String username,
            @Nullable String email,
            @Nullable String password) {}

    /** Refresh token for the next pair of tokens. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Refresh")
    record RefreshJson(@Nullable String refreshToken) {}

    /**
     * Token for Authorization: Bearer, and the refresh token for the next pair.
     *
     * @param refreshToken Refresh token; valid once.
     */
    @Serdeable
    @Schema(name = "SignedIn")
    record GrantedJson(UUID id, String token, Instant expiresAt, String refreshToken) {
        static GrantedJson of(IssuedTokens tokens) {
            return new GrantedJson(tokens.id(), tokens.token(), tokens.expiresAt(), tokens.refreshToken());
        }

        /** Omits secrets. */
        @Override
        public String toString() {
            return "GrantedJson[" + id + "]";
        }
    }

    /**
     * Register an account. The first account becomes administrator: it needs the installation's own key or the code
     * that the server printed. The setting registration controls whether others may register.
     */
    @Post("/register")
    @Public
    @ApiResponse(responseCode = "201", description = "The account was created.")
    @ApiResponse(
            responseCode = "403",
            description = "Registration is closed, or the first administrator has no valid code.")
    @ApiResponse(responseCode = "409", description = "The username is taken, or the e-mail address is another user's.")
    @ApiResponse(
            responseCode = "429",
            description = "Too many requests from this address; Retry-After says when to try again.")
    HttpResponse<Person> register(@Body RegisterJson body, HttpRequest<?> request, @Nullable Caller caller) {
        Optional<Caller> admin = Optional.ofNullable(caller).filter(candidate -> candidate.may(Capability.USER_MANAGE));
        if (admin.isEmpty()) {
            attempts.require(Limit.REGISTER, clients.networkOf(request));
            registration.check(people.isEmpty(), body.code());
        }
        NewPerson person = person(body);
        Person added = admin.map(by -> people.add(by, person))
                .orElseGet(() -> people.add(AccessDirectory.DEFAULT_HOST, person, null, true));
        return HttpResponse.created(added);
    }

    static String username(@Nullable String name) {
        String username = Checks.requireText("username", name, 64);
        if (!USERNAME.matcher(username).matches()) {
            throw Checks.invalid(
                    "username", "must be 1 to 64 letters, digits, '.', '_' or '-', and begin with a letter or a digit");
        }
        return username;
    }

    private NewPerson person(RegisterJson body) {
        String username = username(body.username());
        String email = Checks.email(body.email());
        return new NewPerson(
                username,
                email,
                body.password() == null ? null : passwords.hash(body.password()),
                Checks.timeZone(body.timeZone()),
                Checks.language(body.language()),
                null);
    }

    /**
     * Sign in with a password. Returns a token that is valid for one hour.
     *
     * @return The tokens.
     */
    @Post("/login")
    @Public
    @ApiResponse(responseCode = "401", description = "The name or the password is wrong.")
    @ApiResponse(responseCode = "429", description = "Too many attempts; Retry-After says when to try again.")
    HttpResponse<GrantedJson> login(@Body LoginJson body, HttpRequest<?> request) {
        String name = Checks.requireText("username", body.username() == null ? body.email() : body.username(), 254);
        String password = Checks.requireText("password", body.password(), 1_000);
        String network = clients.networkOf(request);
        List<SignInAccount> candidates = people.findAccounts(name);
        @Nullable String device = device(candidates, request);
        attempts.begin(name, network, device);
        Optional<SignInAccount> person = matching(candidates, password);
        if (person.filter(SignInAccount::active).isEmpty()) {
            candidates.forEach(signIns::recordFailure);
            throw new ApiException(HttpStatus.UNAUTHORIZED, "wrong_credentials", "The name or the password is wrong.");
        }
        attempts.onSucceeded(name, network, device);
        UUID user = person.get().user();
        return grantedResponse(signIns.open(person.get(), "password", Client.of(request, clients)))
                .cookie(devices.mark(user));
    }

    private @Nullable String device(List<SignInAccount> candidates, HttpRequest<?> request) {
        return candidates.stream()
                .flatMap(account -> devices.find(request, account.user()).stream())
                .findFirst()
                .orElse(null);
    }

    /** The account whose password it is; takes as long where there is none. */
    private Optional<SignInAccount> matching(List<SignInAccount> candidates, String password) {
        if (candidates.isEmpty()) {
            passwords.matches(password, null);
        }
        return candidates.stream()
                .filter(account -> passwords.matches(password, account.passwordHash()))
                .findFirst();
    }

    /**
     * Refresh the tokens. Returns the next pair of tokens. A refresh token is valid once; using it twice ends the
     * sign-in. The page of this server keeps it in a cookie, which is replaced with status 204.
     */
    @Post("/refresh")
    @Public
    @ApiResponse(responseCode = "200", description = "The tokens.")
    @ApiResponse(responseCode = "204", description = "The page's cookie was replaced.")
    HttpResponse<GrantedJson> refresh(@Body RefreshJson body, HttpRequest<?> request) {
        Optional<String> cookie =
                body.refreshToken() == null ? browsers.value(request, BrowserSignIn.REFRESH) : Optional.empty();
        if (cookie.isEmpty()) {
            return grantedResponse(signIns.refresh(Checks.requireText("refreshToken", body.refreshToken(), 200)));
        }
        IssuedTokens next = signIns.refresh(Checks.requireText("refreshToken", cookie.get(), 200));
        return HttpResponse.<GrantedJson>noContent().cookie(browsers.refreshCookie(next.refreshToken()));
    }

    static MutableHttpResponse<GrantedJson> grantedResponse(IssuedTokens tokens) {
        return HttpResponse.ok(GrantedJson.of(tokens)).header("Cache-Control", "no-store");
    }

    /** Sign out. Ends this sign-in at once or, with ?everywhere=true, all of the caller's sign-ins. */
    @Post("/logout")
    @Authenticated
    @ApiResponse(responseCode = "204", description = "The token is no longer valid.")
    HttpResponse<Void> logout(@Nullable @QueryValue Boolean everywhere, Caller caller) {
        caller.requireSignIn();
        boolean all = Boolean.TRUE.equals(everywhere);
        signIns.end(
                caller.host(), caller.person().user(), all ? null : caller.key().id());
        return HttpResponse.noContent();
    }
}
