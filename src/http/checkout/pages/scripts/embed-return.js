// Where a bank sends the customer back to: to the dialog of the embedded checkout, or to the whole page.
if (parent === window) location.replace(document.querySelector('a').href);
else parent.postMessage('paydesk:returned', location.origin);
