package lookout

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
)

// untrustedText says why the certificate of a server is not trusted, and what to do. It is empty for other errors.
func untrustedText(baseURL string, err error) string {
	var untrusted *tls.CertificateVerificationError
	if !errors.As(err, &untrusted) {
		return ""
	}
	var unknown x509.UnknownAuthorityError
	if errors.As(untrusted, &unknown) {
		return fmt.Sprintf("the certificate of %s is not of a trusted authority. Trust yours in TLSClientConfig.RootCAs of a lookout.NewTransport() in Options.HTTPClient", baseURL)
	}
	return fmt.Sprintf("the certificate of %s is not trusted (%s)", baseURL, short(untrusted.Err.Error()))
}
