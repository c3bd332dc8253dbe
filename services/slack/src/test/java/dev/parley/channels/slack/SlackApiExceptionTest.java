package dev.parley.channels.slack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.channels.contract.SendFailure.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlackApiExceptionTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            ratelimited, LATER
            rate_limited, LATER
            invalid_auth, REVOKED
            token_revoked, REVOKED
            account_inactive, REVOKED
            missing_scope, REVOKED
            channel_not_found, CLOSED
            is_archived, CLOSED
            not_in_channel, CLOSED
            message_not_found, GONE
            cant_update_message, GONE
            msg_too_long, REFUSED
            something_new, REFUSED
            internal_error, IN_DOUBT
            fatal_error, IN_DOUBT
            no_answer, LATER
            """)
    void mapsErrorsToFailureKinds(String error, Kind kind) {
        assertEquals(kind, new SlackApiException(error, error, false, null).kind());
    }

    @ParameterizedTest
    @CsvSource({"no_answer, true, IN_DOUBT", "'', true, IN_DOUBT", "ratelimited, false, LATER"})
    void reportsUncertainCallsAsInDoubt(String error, boolean inDoubt, Kind kind) {
        assertEquals(kind, new SlackApiException(error, error, inDoubt, null).kind());
    }
}
