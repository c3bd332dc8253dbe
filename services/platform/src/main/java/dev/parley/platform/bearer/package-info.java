/** Tokens of other issuers (OpenID Connect, OAuth 2) in place of the API's own keys: who signed them, and whom they stand for. */
@NullMarked
package dev.parley.platform.bearer;

import org.jspecify.annotations.NullMarked;
