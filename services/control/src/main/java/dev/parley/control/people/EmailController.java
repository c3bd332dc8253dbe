package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.http.Checks;
import dev.parley.control.people.AuthController.GrantedJson;
import dev.parley.control.people.FederatedSignInController.CodeJson;
import dev.parley.control.people.SignInCodes.Purpose;
import dev.parley.control.people.SignInCodes.Redeemed;
import dev.parley.control.people.SignInThrottle.Limit;
import dev.parley.control.people.SignIns.Client;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.network.ClientAddress;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes to sign in with a code sent by e-mail. */
@Controller("/v1/auth/email")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Sign-in")
class EmailController {
    private final EmailLinks emails;
    private final SignInCodes codes;
    private final Redirects redirects;
    private final SignInThrottle attempts;
    private final SignIns signIns;
    private final EmailOwnership addresses;
    private final ClientAddress clients;

    EmailController(
            EmailLinks emails,
            SignInCodes codes,
            Redirects redirects,
            SignInThrottle attempts,
            SignIns signIns,
            EmailOwnership addresses,
            ClientAddress clients) {
        this.clients = clients;
        this.emails = emails;
        this.codes = codes;
        this.redirects = redirects;
        this.attempts = attempts;
        this.signIns = signIns;
        this.addresses = addresses;
    }

    /**
     * Recipient of a sign-in code.
     *
     * @param redirect Page that receives the code as #code=…: a path of this server, or an address that
     *     signIn.redirects allows. If null, the e-mail has only the code.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "EmailSignIn")
    record EmailJson(@Nullable String email, @Nullable String redirect) {}

    /** Confirmation that is the same for every address. */
    @Serdeable
    @Schema(name = "EmailSent")
    record SentJson(String detail) {
        private static final SentJson ALWAYS = new SentJson("If an account has this address, a code was sent to it.");
    }

    /** Request a code by e-mail. Sends a code to the address of an existing account; at most three an hour. */
    @Post
    @Public
    @ApiResponse(
            responseCode = "202",
            description = "The request was accepted. The response does not reveal whether an account has this address.")
    @ApiResponse(
            responseCode = "429",
            description = "Too many requests from this address; Retry-After says when to try again.")
    @ApiResponse(responseCode = "501", description = "E-mail is not configured.")
    HttpResponse<SentJson> send(@Body EmailJson body, HttpRequest<?> request) {
        String email = Checks.email(Checks.requireText("email", body.email(), 254));
        if (email == null) {
            throw ApiException.badRequest("missing_field", "The field 'email' is missing");
        }
        var redirect = redirects.check(body.redirect());
        if (emails.areEnabled()) {
            attempts.require(Limit.EMAIL, clients.networkOf(request));
        }
        emails.send(email, redirect);
        return HttpResponse.accepted().body(SentJson.ALWAYS);
    }

    /**
     * Sign in with a code. The code is valid once, for fifteen minutes. The first code proves the address and ends
     * passwords, identities, sign-ins and keys created before.
     *
     * @return The tokens.
     */
    @Post("/code")
    @Public
    @ApiResponse(responseCode = "401", description = "The code is wrong, was used or has expired.")
    HttpResponse<GrantedJson> code(@Body CodeJson body, HttpRequest<?> request) {
        Redeemed redeemed = codes.redeem(Set.of(Purpose.EMAIL), Checks.requireText("code", body.code(), 200));
        addresses.markProved(redeemed.person());
        return AuthController.grantedResponse(
                signIns.open(redeemed.person(), redeemed.method(), Client.of(request, clients)));
    }
}
